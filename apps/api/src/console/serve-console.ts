import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { problem, PROBLEM_MEDIA_TYPE } from '#libs/contracts';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_PATHS } from './console-paths.js';
import { securityHeaders } from './security-headers.js';

/** Directory of the built console. */
const BUILT_CONSOLE = join(dirname(findPackageJSON(import.meta.url) ?? '.'), 'dist/apps/console/public');

/** Paths of the API, its documentation and assets; an unknown path under them is not answered with a page. */
const NO_PAGES = /^\/(v1|assets|docs)(\/|\?|$)/;

/** The built page's placeholder for the nonce of each response. */
const NONCE_PLACEHOLDER = /CSP_NONCE_PLACEHOLDER/g;

/**
 * Serves the console: its single page at `/` and under each of its paths, and its assets, whose names change with
 * their content. A browser also gets the page, with status 404, at an unknown address.
 */
export function serveConsole(server: FastifyInstance): void {
  const page = join(BUILT_CONSOLE, 'index.html');
  const html = existsSync(page) ? readFileSync(page, 'utf8') : null;

  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (html === null) {
      const detail = 'This build has no console. Build it: npm run build.';
      return reply
        .status(404)
        .type(PROBLEM_MEDIA_TYPE)
        .send(JSON.stringify(problem({ status: 404, detail, requestId: request.id })));
    }
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers(securityHeaders(nonce))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html.replace(NONCE_PLACEHOLDER, nonce));
  };
  // The page informs a person that the address is unknown; programs get a problem.
  server.addHook('onRequest', async (request, reply) => {
    const isPerson = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
    if (!request.is404 || !isPerson || html === null || NO_PAGES.test(request.url)) return undefined;
    return answer(request, reply.status(404));
  });
  for (const path of ['/', ...CONSOLE_PATHS.flatMap((name) => [`/${name}`, `/${name}/*`])])
    server.get(path, answer);

  if (html === null) return;
  void server.register(files, {
    root: join(BUILT_CONSOLE, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    immutable: true,
    maxAge: '365d',
  });
}
