import { expect, it } from 'vitest';
import { Recorder } from '#apps/worker/src/session/recorder';
import { DeliverySession } from '#apps/worker/src/session/session';
import { SessionStore } from '#apps/worker/src/session/session-store';
import { Metrics } from '#libs/observability';
import { acceptStatuses, deliveryOf, statusFor } from '#test/support/new-status';
import { QUIET } from '#test/support/open-queue';
import { TestSession } from '#test/support/test-session';
import { fileDatabase } from '#test/support/file-database';
import { insertConsumer } from '#test/support/consumer-row';

const { pipeline } = await fileDatabase();

it('records an attempt without its answer when PostgreSQL cannot store it, and keeps other answers complete', async () => {
  const consumerId = await insertConsumer(pipeline.db);
  const events = [statusFor(consumerId), statusFor(consumerId)];
  await acceptStatuses(pipeline, ...events);
  const [refused = '', stored = ''] = events.map(deliveryOf);
  const opened = await TestSession.open(pipeline, consumerId);
  await opened.fetch();
  const session = new DeliverySession(consumerId, 'a job', performance.now());
  session.update(opened.consumer, performance.now(), performance.now());

  const recorder = new Recorder(new SessionStore(pipeline), QUIET, new Metrics(), { workerConcurrency: 1 });
  // A text in PostgreSQL cannot hold a zero byte.
  const answers = { [refused]: 'an\u0000answer', [stored]: 'an answer' };
  const recorded = await Promise.all(
    Object.entries(answers).map(([id, responseBody]) =>
      recorder.record(session, {
        ...opened.result(id, { state: 'delivered' }),
        responseHeaders: { 'x-header': 'kept' },
        responseBody,
      }),
    ),
  );

  expect(recorded).toEqual([true, true]);
  const attempts = await pipeline.db
    .selectFrom('attempts')
    .select(['delivery_id', 'outcome', 'detail', 'response_headers', 'response_body'])
    .where('delivery_id', 'in', [refused, stored])
    .execute();
  const byDelivery = new Map(attempts.map(({ delivery_id, ...attempt }) => [delivery_id, attempt]));
  expect(byDelivery.get(refused)).toEqual({
    outcome: 'acknowledged',
    detail: 'the answer could not be kept',
    response_headers: null,
    response_body: null,
  });
  expect(byDelivery.get(stored)).toMatchObject({
    detail: 'answered',
    response_headers: { 'x-header': 'kept' },
    response_body: 'an answer',
  });
});
