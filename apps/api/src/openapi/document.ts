import { ProblemDto, VERSION } from '#libs/contracts';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { sessionCookie } from '../access/sign-in/session-cookie.js';
import { addExamples } from './add-examples.js';
import { operationsOf, type ApiDocument } from './api-document.js';
import { boundRequests } from './bound-requests.js';
import { describeNotifications } from './describe-notifications.js';
import { discriminateEvents } from './discriminate-events.js';
import { documentOptionalBodies } from './optional-bodies.js';
import { documentSharedRefusals } from './shared-refusals.js';

/** The OpenAPI document, generated from the controllers and DTOs. */
export function createDocument(app: INestApplication): ApiDocument {
  const description = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payment notification dispatcher')
    .setDescription(
      'Accepts status changes of ACH and wire payments, and sends signed notifications to the consumers that they concern. ' +
        'Errors are problems (RFC 9457). Lists take `offset` and `limit` and answer with `pagination`.',
    )
    .setVersion(VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'This installation')
    .addTag('events', 'Status changes that producers post, and their way to the consumers.')
    .addTag('payments', 'Payments with their statuses.')
    .addTag('notifications', 'What a consumer receives, and reads with a key of its own.')
    .addTag('deliveries', 'One event to one consumer, with every attempt.')
    .addTag('bulk actions', 'Retry, replay, cancel or settle many deliveries.')
    .addTag('consumers', 'Who is notified, where, about what and with which credentials.')
    .addTag('system', 'The state of the dispatcher, statistics, reports and search.')
    .addTag('portal', 'What a consumer’s own people see and change.')
    .addTag('access', 'API keys, sessions and the audit log.')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      description: 'An API key; its roles decide what is allowed.',
    })
    .addCookieAuth(sessionCookie.secureName, {
      type: 'apiKey',
      in: 'cookie',
      description:
        'The console’s session, made by POST /v1/session or by OpenID Connect. Other clients send their key.',
    })
    .build();
  const generated = SwaggerModule.createDocument(app, description, {
    extraModels: [ProblemDto],
    operationIdFactory: (_controller, method) => method,
  });
  const document: ApiDocument = JSON.parse(JSON.stringify(generated), joinLines);
  discriminateEvents(document);
  describeNotifications(document);
  boundRequests(document);
  documentOptionalBodies(document);
  documentSharedRefusals(document);
  addExamples(document);
  // `Allow` adds what a route asks for. A route without it asks for nothing, and OpenAPI wants that said.
  for (const operation of operationsOf(document)) operation.security ??= [];
  return document;
}

/** Joins the lines of a description that was taken from a comment. */
const joinLines = (key: string, value: unknown): unknown =>
  key === 'description' && typeof value === 'string' ? value.replaceAll('\n', ' ') : value;
