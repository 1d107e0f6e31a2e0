import { UnauthorizedException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

const BEARER = /^Bearer ([\x21-\x7e]{1,300})$/i;

/**
 * The API key that a request presents, whoever's it may be.
 * @throws UnauthorizedException when there is none, or not in the form of one
 */
export function presentedKey(headers: { readonly authorization?: string | undefined }): string {
  const key = BEARER.exec(headers.authorization ?? '')?.[1];
  if (key === undefined) throw new UnauthorizedException('Send an API key: Authorization: Bearer <key>.');
  return key;
}

/**
 * Refuses a request that presents no key before its body is read: nobody unknown makes us take in and parse 5 MiB.
 * The guard, which comes after the body, asks the same of every route that is not public; what is public is read
 * with GET, whose body is never taken in.
 */
export function requireKeyBeforeBody(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ method, headers }) => {
    if (method !== 'GET' && method !== 'HEAD') presentedKey(headers);
  });
}
