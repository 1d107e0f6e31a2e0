import 'reflect-metadata';
import {
  closeConnectionsWhenStopping,
  ConfigModule,
  configSummary,
  processEnvironment,
  readConfig,
  runProcess,
} from '#libs/config';
import { createLogger, NestLogger, ObservabilityModule, startTracing } from '#libs/observability';
import { QueueModule } from '#libs/queue';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { WorkerModule } from './worker.module.js';

/** The production worker: it listens for the platform's questions only (/livez, /readyz, /metrics). */
async function start(): Promise<() => Promise<void>> {
  const config = readConfig('worker', processEnvironment());
  const logger = createLogger({ level: config.logLevel, process: 'worker' });
  logger.info({ config: configSummary(config) }, 'starting');

  const tracing = await startTracing({
    endpoint: config.tracesEndpoint,
    service: 'dispatcher-worker',
    logger,
  });

  @Module({
    imports: [
      ConfigModule.forRoot(config),
      ObservabilityModule.forRoot(logger, tracing),
      QueueModule.forRoot(config.queue),
      WorkerModule.forRoot(config.queue),
    ],
  })
  class Process {}

  const app = await NestFactory.create<NestFastifyApplication>(Process, new FastifyAdapter(), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  closeConnectionsWhenStopping(app.getHttpAdapter().getInstance());
  await app.listen(config.http.port, config.http.host);
  logger.info({ url: await app.getUrl() }, 'ready');
  return async () => {
    logger.info({}, 'stopping');
    await app.close();
  };
}

runProcess(start);
