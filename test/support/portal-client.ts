import type { ApiKeyCreatedDto } from '#apps/api/src/access/api-key.dto';
import { ApiClient } from '#test/support/api-client';
import type { System } from '#test/support/system';

/** Calls the api as a consumer's own person, with a new key of the consumer. */
export async function portalClient(
  system: System,
  consumerId: string,
  name = 'treasury',
): Promise<ApiClient> {
  const { status, body } = await system.client.call<ApiKeyCreatedDto>(
    'POST',
    `/v1/consumers/${consumerId}/keys`,
    { name },
  );
  if (status !== 201) throw new Error(`no key for the consumer: ${String(status)}`);
  return new ApiClient(system.api.baseUrl, body.key);
}
