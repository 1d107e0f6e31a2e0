import { randomUUID } from 'node:crypto';
import type { ApiClient } from '#test/support/api-client';

/** The key of a new producer: it reads its own events only. */
export async function producerKey(admin: ApiClient): Promise<string> {
  const { body } = await admin.call<{ key: string }>('POST', '/v1/api-keys', {
    name: `producer-${randomUUID()}`,
    roles: ['producer'],
  });
  return body.key;
}
