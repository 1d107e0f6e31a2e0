import { ApiModule, configureHttp, httpAdapter } from '#apps/api/src/api.module';
import { ConfigModule, readConfig } from '#libs/config';
import { createLogger, ObservabilityModule } from '#libs/observability';
import { JobQueueModule } from '#libs/queue';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

export interface RegisteredRoute {
  readonly method: string;
  /** In the notation of OpenAPI: `/v1/events/{id}`; a wildcard is `*`. */
  readonly path: string;
}

/** Every route of the api's HTTP server, including those of libraries and undocumented ones. */
export async function registeredRoutes(
  env: Readonly<Record<string, string | undefined>>,
): Promise<RegisteredRoute[]> {
  const config = readConfig('api', env);
  const logger = createLogger({ level: 'silent', process: 'routes' });

  @Module({
    imports: [
      ConfigModule.forRoot(config),
      ObservabilityModule.forRoot(logger),
      JobQueueModule.forRoot(),
      ApiModule,
    ],
  })
  class Process {}

  const app = await NestFactory.create<NestFastifyApplication>(Process, httpAdapter([]), {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  const routes: RegisteredRoute[] = [];
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, path: url.replaceAll(/:(\w+)/g, '{$1}') });
  });
  try {
    configureHttp(app);
    await app.init();
    await server.ready();
    return routes;
  } finally {
    await app.close();
  }
}
