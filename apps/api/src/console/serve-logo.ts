import type { BrandConfig } from '#libs/config';
import type { FastifyInstance } from 'fastify';

export const LOGO_PATH = '/brand/logo';

/** A changed logo is seen after this time. */
const CACHED_SECONDS = 300;

/** Serves the logo. The policy is for a person who opens an SVG by its address: its scripts must not run. */
export function serveLogo(server: FastifyInstance, { logo }: BrandConfig): void {
  if (logo === null) return;
  server.get(LOGO_PATH, (_request, reply) =>
    reply
      .headers({
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': `public, max-age=${String(CACHED_SECONDS)}`,
      })
      .type(logo.contentType)
      .send(logo.bytes),
  );
}
