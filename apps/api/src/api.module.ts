import { admitWireStatuses } from '#libs/contracts';
import { CONFIG, type Config } from '#libs/config';
import { configureListener, listenerOptions } from '#libs/listener';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { Inject, Module, VersioningType } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccessModule } from './access/access.module.js';
import { authenticateRequests } from './access/authentication.js';
import { Callers } from './access/callers.service.js';
import { RateLimits } from './access/rate-limits.js';
import { serveBasicPortal } from './basic-portal/serve-basic-portal.js';
import { serveConsole } from './console/serve-console.js';
import { serveLogo } from './console/serve-logo.js';
import { IngestModule } from './ingest/ingest.module.js';
import { ContractValidationPipe } from './http/contract-validation.pipe.js';
import { ProblemFilter } from './http/problem.filter.js';
import { watchOpenAnswers } from './access/open-answers.js';
import { boundBodies, readJsonBodies } from './access/request-limits.js';
import { ResourcesModule } from './resources/resources.module.js';
import { SignInModule } from './access/sign-in/sign-in.module.js';
import { SystemModule } from './system/system.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { serveDocument } from './openapi/serve-document.js';
import { StatusModule } from './status/status.module.js';

/** The api process: accepts status changes, and serves operators, consumers and the console. */
@Module({
  imports: [
    AccessModule,
    IngestModule,
    ResourcesModule,
    SystemModule,
    SignInModule,
    StatusModule,
    OpenApiModule,
  ],
  providers: [
    { provide: APP_PIPE, useClass: ContractValidationPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class ApiModule {
  constructor(@Inject(CONFIG) config: Config) {
    admitWireStatuses(config.wireExtraStatuses);
  }
}

/** The HTTP server. */
export function httpAdapter(trustedProxies: readonly string[]): FastifyAdapter {
  return new FastifyAdapter({
    ...listenerOptions(),
    // The proxies whose X-Forwarded-For is trusted: the audit log needs the address of the person's machine.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
  });
}

/** Configures the HTTP server; every process that serves the api calls it before it listens. */
export function configureHttp(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  configureListener(server);
  authenticateRequests(server, app.get(Callers), new RateLimits(app.get<Config>(CONFIG).rates));
  readJsonBodies(server);
  boundBodies(server);
  watchOpenAnswers(server, app.get<Logger>(LOGGER), app.get(Metrics));
  app.enableVersioning({ type: VersioningType.URI });
  serveDocument(app, server);
  serveBasicPortal(app, server);
  serveConsole(server);
  serveLogo(server, app.get<Config>(CONFIG).brand);
}
