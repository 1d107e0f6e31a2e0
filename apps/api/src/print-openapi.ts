import 'reflect-metadata';
import { ConfigModule, readConfig, runProcess } from '#libs/config';
import { createLogger, ObservabilityModule } from '#libs/observability';
import { JobQueueModule } from '#libs/queue';
import { Module, VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiModule, httpAdapter } from './api.module.js';
import { createDocument } from './openapi/document.js';

/**
 * `npm run openapi` prints the document. Nest's preview mode creates no instances, so nothing is connected.
 */
async function main(): Promise<void> {
  const config = readConfig('tool', { DATABASE_URL: 'postgres://none', QUEUE_BACKEND: 'postgres' });
  const logger = createLogger({ level: 'silent', process: 'openapi' });

  @Module({
    imports: [
      ConfigModule.forRoot(config),
      ObservabilityModule.forRoot(logger),
      JobQueueModule.forRoot(),
      ApiModule,
    ],
  })
  class Process {}

  const app = await NestFactory.create(Process, httpAdapter([]), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  app.enableVersioning({ type: VersioningType.URI });
  process.stdout.write(`${JSON.stringify(createDocument(app), null, 2)}\n`);
}

runProcess(main);
