import 'reflect-metadata';
import { ConfigModule, configSummary, processEnvironment, readConfig, runProcess } from '#libs/config';
import { awaitPostgres, checkSchema } from '#libs/database';
import { createLogger, NestLogger, ObservabilityModule, startTracing } from '#libs/observability';
import { JobQueueModule } from '#libs/queue';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiModule, configureHttp, httpAdapter } from './api.module.js';

/** The production api. */
async function start(): Promise<() => Promise<void>> {
  const config = readConfig('api', processEnvironment());
  const logger = createLogger({ level: config.logLevel, process: 'api' });
  logger.info({ config: configSummary(config) }, 'process.starting');
  await awaitPostgres(config, logger, checkSchema);

  const tracing = await startTracing({ endpoint: config.tracesEndpoint, service: 'dispatcher-api', logger });

  @Module({
    imports: [
      ConfigModule.forRoot(config),
      ObservabilityModule.forRoot(logger, tracing),
      JobQueueModule.forRoot(),
      ApiModule,
    ],
  })
  class Process {}

  const app = await NestFactory.create<NestFastifyApplication>(
    Process,
    httpAdapter(config.http.trustedProxies),
    {
      logger: new NestLogger(logger),
      bodyParser: false,
      abortOnError: false,
    },
  );
  configureHttp(app);
  await app.listen(config.http.port, config.http.host);
  logger.info({ url: await app.getUrl() }, 'process.ready');
  return async () => {
    logger.info({}, 'process.stopping');
    await app.close();
  };
}

runProcess(start);
