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
import { BulkActionsModule } from './resources/bulk-actions/bulk-actions.module.js';
import { serveConsole } from './console/serve-console.js';
import { IngestModule } from './ingest/ingest.module.js';
import { ChannelsModule } from './resources/channels/channels.module.js';
import { ConsumersModule } from './resources/consumers/consumers.module.js';
import { DeliveriesModule } from './resources/deliveries/deliveries.module.js';
import { EventsModule } from './resources/events/events.module.js';
import { ContractValidationPipe } from './http/contract-validation.pipe.js';
import { ProblemFilter } from './http/problem.filter.js';
import { watchOpenAnswers } from './access/open-answers.js';
import { boundBodies, readJsonBodies } from './access/request-limits.js';
import { serveDocument } from './openapi/serve-document.js';
import { IssuesModule } from './resources/issues/issues.module.js';
import { PortalModule } from './portal/portal.module.js';
import { QueueStateModule } from './system/queue/queue-state.module.js';
import { SessionModule } from './access/sign-in/session.module.js';
import { ReadingModule } from './reading.module.js';
import { StatusModule } from './system/status/status.module.js';

/** The api process: accepts status changes, and serves operators, consumers and the console. */
@Module({
  imports: [
    AccessModule,
    IngestModule,
    EventsModule,
    DeliveriesModule,
    BulkActionsModule,
    ChannelsModule,
    ConsumersModule,
    IssuesModule,
    PortalModule,
    QueueStateModule,
    ReadingModule,
    SessionModule,
    StatusModule,
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
  serveConsole(server);
}
