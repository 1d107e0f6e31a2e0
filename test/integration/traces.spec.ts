import { expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import { createLogger, startTracing } from '#libs/observability';
import { sql } from 'kysely';
import { accept, addConsumer, startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { TestSession } from '#test/support/test-session';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const dispatcher = await startDispatcherInProcess();
const consumerId = await addConsumer(dispatcher, { all_payments: true });

/** Accepts a change, and fetches its delivery as a session does. */
async function fetched(transactionId: string, traceparent?: string) {
  const accepted = await accept(dispatcher, achExample({ transactionId }), { traceparent });
  const deliveryId = accepted.kind === 'accepted' ? accepted.deliveries[0]?.deliveryId : undefined;
  const session = await TestSession.open(dispatcher.pipeline, consumerId);
  const delivery = (await session.fetch()).find(({ id }) => id === deliveryId);
  if (delivery === undefined) throw new Error('it was not fetched');
  const { rows } = await sql<{ body: string }>`
    select body from events where id = ${delivery.notificationId}`.execute(dispatcher.db);
  return { traceparent: delivery.traceparent, body: delivery.body, stored: rows[0]?.body };
}

it('a producer’s trace comes with the delivery also while nothing is traced, and the body is the same', async () => {
  const traced = await fetched('traced', TRACEPARENT);
  expect(traced.traceparent).toBe(TRACEPARENT);
  expect(traced.body).toBe(traced.stored);
  const untraced = await fetched('untraced');
  expect(untraced.traceparent).toBeNull();
  expect(untraced.body).toBe(untraced.stored);
});

it('without a collector there are no spans', async () => {
  const logger = createLogger({ level: 'silent', process: 'test' });
  const tracing = await startTracing({ endpoint: null, service: 'test', logger });
  expect(tracing.begin('accept', { kind: 'server', parent: TRACEPARENT })).toBeUndefined();
  await tracing.close();
});

it('a process stops in time although its trace collector is unreachable', async () => {
  const logger = createLogger({ level: 'silent', process: 'test' });
  const tracing = await startTracing({ endpoint: 'http://127.0.0.1:9', service: 'test', logger });
  const span = tracing.begin('accept', { kind: 'server', parent: undefined });
  span?.end({}, 'a fault');
  expect(span?.traceparent).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
  const startedAt = performance.now();
  await tracing.close();
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});
