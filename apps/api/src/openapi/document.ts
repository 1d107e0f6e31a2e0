import { VERSION } from '#libs/signing';
import { ProblemDto } from '#libs/contracts';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { sessionCookie } from '../session/session-cookie.js';
import { tellBodyRefusals } from './body-refusals.js';
import { closeRequestSchemas } from './close-request-schemas.js';
import { nullableAsType } from './nullable-as-type.js';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** The OpenAPI document, generated from the controllers and DTOs. */
export function createDocument(app: INestApplication): OpenAPIObject {
  const description = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payment notification dispatcher')
    .setDescription(
      'Status changes of ACH and wire payments in, signed notifications to the consumers that they concern out. ' +
        'Errors are problems (RFC 9457). Lists take `offset` and `limit` and answer with `pagination`.',
    )
    .setVersion(VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
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
  const document = SwaggerModule.createDocument(app, description, { extraModels: [ProblemDto] });
  return nullableAsType(tellBodyRefusals(closeRequestSchemas(document)));
}

/** The page has its start-up styles in its markup, and pictures in its styles. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Lets the page under /docs do in a browser what it is for, which other answers must not. */
export function allowDocumentPage(server: FastifyInstance): void {
  server.addHook('onSend', async ({ routeOptions }, reply) => {
    if (/^\/docs\/?$/.test(routeOptions.url ?? '')) void reply.header('content-security-policy', PAGE_POLICY);
  });
}

/** Serves it at /docs for people and at /docs-json for machines. */
export function serveDocument(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => createDocument(app), { jsonDocumentUrl: 'docs-json' });
}
