import 'reflect-metadata';
import { ConfigModule, configSummary, processEnvironment, readConfig, runProcess } from '#libs/config';
import { awaitPostgres, checkSchema } from '#libs/database';
import { configureListener, listenerOptions } from '#libs/listener';
import { createLogger, NestLogger, ObservabilityModule, startTracing } from '#libs/observability';
import { JobQueueModule } from '#libs/queue';
import { Module } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { HttpErrorFilter } from './http-error.filter.js';
import { WorkerModule } from './worker.module.js';

/** The production worker. It serves /livez, /readyz and /metrics only. */
async function start(): Promise<() => Promise<void>> {
  const config = readConfig('worker', processEnvironment());
  const logger = createLogger({ level: config.logLevel, process: 'worker' });
  logger.info({ config: configSummary(config) }, 'process.starting');
  await awaitPostgres(config, logger, checkSchema);

  const tracing = await startTracing({
    endpoint: config.tracesEndpoint,
    service: 'dispatcher-worker',
    logger,
  });

  @Module({
    imports: [
      ConfigModule.forRoot(config),
      ObservabilityModule.forRoot(logger, tracing),
      JobQueueModule.forRoot(),
      WorkerModule,
    ],
    providers: [{ provide: APP_FILTER, useClass: HttpErrorFilter }],
  })
  class Process {}

  const app = await NestFactory.create<NestFastifyApplication>(
    Process,
    new FastifyAdapter(listenerOptions()),
    {
      logger: new NestLogger(logger),
      bodyParser: false,
      abortOnError: false,
    },
  );
  const server = app.getHttpAdapter().getInstance();
  server.removeAllContentTypeParsers();
  configureListener(server);
  await app.listen(config.http.port, config.http.host);
  logger.info({ url: await app.getUrl() }, 'process.ready');
  return async () => {
    logger.info({}, 'process.stopping');
    await app.close();
  };
}

runProcess(start);
