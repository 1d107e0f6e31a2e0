import type { BrandConfig } from '#libs/config';
import type { FastifyInstance } from 'fastify';

export const LOGO_PATH = '/brand/logo';

/** Serves the logo. The policy is for a person who opens an SVG by its address: its scripts must not run. */
export function serveLogo(server: FastifyInstance, { logo }: BrandConfig): void {
  if (logo === null) return;
  server.get(LOGO_PATH, (_request, reply) =>
    reply
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'public, max-age=300')
      .type(logo.contentType)
      .send(logo.bytes),
  );
}
