import { createHash } from 'node:crypto';
import apiReference from '@scalar/fastify-api-reference';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { ApiDocument } from './api-document.js';
import { createDocument } from './document.js';

const DOCUMENT_URL = '/docs-json';

/** Keeps browsers from asking for /favicon.ico, which does not exist. */
const NO_ICON = '<link rel="icon" href="data:," />';

/** Serves the document at /docs-json for programs, and at /docs for people as a page that loads nothing from elsewhere. */
export function serveDocument(app: INestApplication, server: FastifyInstance): void {
  let document: ApiDocument | undefined;
  server.get(DOCUMENT_URL, () => (document ??= createDocument(app)));
  server.addHook('onSend', async ({ routeOptions }, reply, payload) => {
    if (routeOptions.url !== '/docs/' || typeof payload !== 'string') return payload;
    void reply.header('content-security-policy', pagePolicy(payload));
    return payload.replace('<html>', '<html lang="en">').replace('<head>', `<head>${NO_ICON}`);
  });
  void server.register(apiReference, {
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
}

/** Lets the page run its own scripts, by their digests where they are written into it, and ask this server only. */
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
