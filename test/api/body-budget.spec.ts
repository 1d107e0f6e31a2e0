import { randomUUID } from 'node:crypto';
import { achExample } from '#libs/contracts';
import { expect, it } from 'vitest';
import { System } from '#test/support/system';
import { LONGEST_WAIT_MS, waitUntil } from '#test/support/wait-until';

const system = await System.start({ backend: 'redis', workers: 0 });

const BATCHES = Number(process.env['BODY_BATCHES'] ?? 60);
const EVENTS = 500;

/** A batch of 4.7 MB. */
function largeBatch(payment: string): string {
  const events = Array.from({ length: EVENTS }, (_, index) =>
    achExample({
      transactionId: `${payment}-${String(index)}`,
      status: 'RETURN',
      returnNOC: { type: 'Return', reasonCode: 'R01', reasonDescription: 'x'.repeat(8_600) },
    }),
  );
  return JSON.stringify({ events });
}

async function post(body: string): Promise<{ status: number; retryAfter: string | null }> {
  const answer = await fetch(`${system.api.baseUrl}/v1/events/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.adminKey}`, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(3 * LONGEST_WAIT_MS),
  });
  await answer.arrayBuffer();
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
}

it('an api that gets 60 batches of 4.7 MB at once refuses most with 429 before it reads them, and stores the others', async () => {
  const run = randomUUID();
  const body = largeBatch(run);
  const answers = await Promise.all(Array.from({ length: BATCHES }, () => post(body)));
  const accepted = answers.filter(({ status }) => status === 202);
  const refused = answers.filter(({ status }) => status === 429);
  expect(accepted.length).toBeGreaterThan(0);
  expect(accepted.length + refused.length).toBe(BATCHES);
  expect(refused.every(({ retryAfter }) => Number(retryAfter) >= 1)).toBe(true);
  const { body: found } = await system.client.call<{ events: unknown[] }>(
    'GET',
    `/v1/events?paymentId=${run}-499`,
  );
  expect(found.events).toHaveLength(1);
  // Nothing is under way any more: the key can post again.
  await waitUntil(async () => (await post(body)).status === 202, { what: 'another batch to be accepted' });
});
