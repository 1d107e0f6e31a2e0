import type { ApiKeyCreatedDto } from '#apps/api/src/access/api-key.dto';
import { achExample, type BatchResultDto } from '#libs/contracts';
import { v7 as uuidv7 } from 'uuid';
import type { System } from '#test/support/system';

/** Of each envelope, near the most that a request may have. */
export const LARGE_BYTES = 250_000;
/** As many fit into the body of a batch. */
const PER_BATCH = 15;

/** Posts so many large status changes for a consumer of its own. @returns a key with which it lists them */
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
