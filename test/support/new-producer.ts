import { randomUUID } from 'node:crypto';
import type { ApiClient } from '#test/support/api-client';

/** A new producer: its name, and its API key. */
export async function newProducer(admin: ApiClient): Promise<{ name: string; key: string }> {
  const { body } = await admin.call<{ name: string; key: string }>('POST', '/v1/api-keys', {
    name: `producer-${randomUUID()}`,
    roles: ['producer'],
  });
  return body;
}
