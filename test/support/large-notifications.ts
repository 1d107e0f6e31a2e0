import type { ApiKeyCreatedDto } from '#apps/api/src/access/api-key.dto';
import { achExample, type BatchResultDto } from '#libs/contracts';
import { v7 as uuidv7 } from 'uuid';
import type { System } from '#test/support/system';

/** Size of each envelope, close to the limit of a request. */
export const LARGE_BYTES = 250_000;
/** Events of this size that fit into one batch. */
const PER_BATCH = 15;

/** Registers a consumer and posts `count` large status changes for it. @returns the consumer's API key */
export async function acceptLargeNotifications(system: System, count: number): Promise<string> {
  const company = uuidv7();
  const { id } = await system.client.registerConsumer({
    name: 'Acme',
    url: 'http://127.0.0.1:9/hook',
    eventTypes: ['ach.status'],
    achCompanyIds: [company],
    credentials: { username: 'bank', password: 'a-password-of-the-test' },
  });
  const largeEvent = (index: number): object => {
    const change = achExample({ transactionId: `large-${String(index)}` });
    Object.assign(change.data.achEventInfo.debtor, {
      achCompanyId: company,
      name: String(index % 10).repeat(LARGE_BYTES),
    });
    return change;
  };
  for (let accepted = 0; accepted < count; accepted += PER_BATCH) {
    const many = Math.min(PER_BATCH, count - accepted);
    const events = Array.from({ length: many }, (_, index) => largeEvent(accepted + index));
    const { body } = await system.client.call<BatchResultDto>('POST', '/v1/events/batch', { events });
    if (body.results.some(({ status }) => status !== 'accepted'))
      throw new Error(`not accepted: ${JSON.stringify(body)}`);
  }
  const made = await system.client.call<ApiKeyCreatedDto>('POST', `/v1/consumers/${id}/keys`, {
    name: 'catching up',
  });
  return made.body.key;
}
