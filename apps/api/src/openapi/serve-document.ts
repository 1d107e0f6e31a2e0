import { createHash } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import { fastify, type FastifyInstance, type RouteHandlerMethod } from 'fastify';
import { Callers } from '../access/callers.service.js';
import { ApiDescription } from './api-description.js';
import type { ApiDocument } from './api-document.js';
import { documentOfConsumer } from './document-of-consumer.js';

const DOCUMENT_URL = '/docs-json';

/** Keeps browsers from asking for /favicon.ico, which does not exist. */
const NO_ICON = '<link rel="icon" href="data:," />';

/**
 * Serves the document at /docs-json for programs, and at /docs as a page that loads nothing from other hosts. A consumer's
 * own people get what concerns them, and everybody else the whole document.
 */
export function serveDocument(app: INestApplication, server: FastifyInstance): void {
  const description = app.get(ApiDescription);
  description.describe(app);
  let ofConsumer: ApiDocument | undefined;
  server.get(DOCUMENT_URL, async (request) => {
    const { document } = description;
    // A key that is not valid is ignored: the whole document needs none.
    if ((await app.get(Callers).ofConsumer(request, true)) === null) return document;
    return (ofConsumer ??= documentOfConsumer(document));
  });
  let reference: Promise<FastifyInstance> | undefined;
  const serveReference: RouteHandlerMethod = async ({ url }, reply) => {
    reference ??= openReference();
    const { statusCode, headers, rawPayload } = await (await reference).inject(url);
    if (statusCode === 404) return reply.callNotFound();
    return reply.code(statusCode).headers(headers).send(rawPayload);
  };
  server.get('/docs', serveReference);
  server.get('/docs/*', serveReference);
}

/**
 * A server for the page, created by its first visitor: its script is a text of 5 MB that most processes never need.
 */
async function openReference(): Promise<FastifyInstance> {
  const server = fastify();
  server.addHook('onSend', async ({ routeOptions }, reply, payload) => {
    if (routeOptions.url !== '/docs/' || typeof payload !== 'string') return payload;
    void reply.header('content-security-policy', pagePolicy(payload));
    return payload.replace('<html>', '<html lang="en">').replace('<head>', `<head>${NO_ICON}`);
  });
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  await server.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: DOCUMENT_URL,
      pageTitle: 'Payment notification dispatcher',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      authentication: { preferredSecurityScheme: 'bearer' },
    },
  });
  return server;
}

/**
 * The content security policy of the page: only its own scripts (inline ones by their digests), and only requests to
 * this server.
 */
function pagePolicy(page: string): string {
  const scripts = [...page.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
