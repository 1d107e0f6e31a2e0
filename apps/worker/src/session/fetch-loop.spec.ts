import { afterEach, expect, it } from '@jest/globals';
import type {
  BlockedDelivery,
  Fetched,
  FetchedConsumer,
  FetchedDelivery,
  SessionRequest,
} from '#libs/database';
import { createLogger, Metrics } from '#libs/observability';
import { fetchedConsumer, fetchedDelivery } from '#test/support/open-session';
import { waitUntil } from '#test/support/wait-until';
import { FetchLoop } from './fetch-loop.js';
import { DeliverySession } from './session.js';

const LOGGER = createLogger({ level: 'silent', process: 'test' });

/** A fetch loop over due deliveries by consumer. The test ends each attempt. */
class Loop {
  readonly due = new Map<string, FetchedDelivery[]>();
  readonly requests: SessionRequest[][] = [];
  readonly parked: BlockedDelivery[] = [];
  readonly attempts = new Map<string, { readonly session: DeliverySession; readonly end: () => void }>();
  readonly metrics = new Metrics();
  faults = 0;
  isOver = false;
  /** What the consumer is as of the next fetch. */
  consumer: Partial<FetchedConsumer> = { maxConcurrency: 100 };
  readonly loop: FetchLoop;

  constructor(slots: number) {
    this.loop = new FetchLoop(
      { workerConcurrency: slots },
      {
        fetch: (requests) => this.fetch(requests),
        park: async (blocked) => void this.parked.push(...blocked),
      },
      {
        attempt: (session, { id }) =>
          new Promise((resolve) => {
            this.attempts.set(id, { session, end: () => (session.finish(id, performance.now()), resolve()) });
          }),
      },
      {
        endSessions: async (sessions) => ({ ended: this.isOver ? [...sessions] : [], left: 0 }),
        recordedAfterwards: () => undefined,
      },
      LOGGER,
      this.metrics,
    );
  }

  open(consumerId: string, due: FetchedDelivery[]): DeliverySession {
    this.due.set(consumerId, due);
    const session = new DeliverySession(consumerId, 'job', performance.now());
    this.loop.add(session);
    return session;
  }

  end(id: string): void {
    this.attempts.get(id)?.end();
    for (const [consumerId, due] of this.due)
      this.due.set(
        consumerId,
        due.filter((delivery) => delivery.id !== id),
      );
  }

  async fetches(count: number): Promise<void> {
    const wanted = this.requests.length + count;
    await waitUntil(() => this.requests.length >= wanted, { what: 'more fetches', everyMs: 2 });
  }

  private async fetch(requests: readonly SessionRequest[]): Promise<Fetched[]> {
    this.requests.push([...requests]);
    if (this.faults-- > 0) throw new Error('PostgreSQL is unreachable');
    return requests.map(({ consumerId, wanted, inFlight }) => ({
      consumer: fetchedConsumer({ consumerId, ...this.consumer }),
      deliveries: (this.due.get(consumerId) ?? [])
        .filter(({ id }) => !inFlight.includes(id))
        .slice(0, wanted),
    }));
  }
}

const many = (prefix: string, count: number): FetchedDelivery[] =>
  Array.from({ length: count }, (_, index) => fetchedDelivery(`${prefix}${index}`));

let test: Loop;
afterEach(() => {
  test.isOver = true;
  test.loop.wakeUp();
});

it('the fetch loop excludes deliveries in flight from the next fetch', async () => {
  test = new Loop(10);
  const session = test.open('a', many('a', 2));
  await waitUntil(() => session.inFlight.size === 2, { what: 'both deliveries in flight', everyMs: 2 });
  await test.fetches(1);
  expect(test.requests.at(-1)).toMatchObject([{ inFlight: ['a0', 'a1'] }]);
  test.end('a0');
  await test.fetches(2);
  expect(test.requests.at(-1)).toMatchObject([{ inFlight: ['a1'] }]);
});

it('opens sessions that begin together with one fetch, and divides the slots among them', async () => {
  test = new Loop(8);
  const sessions = ['a', 'b'].map((id) => test.open(id, many(id, 20)));
  await waitUntil(() => test.loop.inFlight === 4, { what: 'the half for new sessions in use', everyMs: 2 });
  expect(test.requests[0]?.map(({ session }) => session)).toEqual([null, null]);
  expect(sessions.map(({ inFlight }) => inFlight.size)).toEqual([2, 2]);
});

it('the first fetch of a session starts nothing while a request of a former session takes the only place', async () => {
  test = new Loop(8);
  test.consumer = { maxConcurrency: 1, heldElsewhere: 1 };
  const session = test.open('a', many('a', 2));
  await test.fetches(3);
  expect(session.inFlight.size).toBe(0);
  // Fetches without room only ask about the former session's requests; they do not deny that more is due.
  expect([test.requests.at(-1)?.[0]?.wanted, session.mayHaveMore]).toEqual([0, true]);
  test.consumer = { maxConcurrency: 1, heldElsewhere: 0 };
  await waitUntil(() => session.inFlight.size === 1, { what: 'the next delivery in flight', everyMs: 2 });
});

it('fetches at a hint for the consumer of the hint alone, and for the others from time to time', async () => {
  test = new Loop(8);
  let hint: (consumerIds: readonly string[]) => void = () => undefined;
  test.loop.listen({ onHint: (listener) => ((hint = listener), () => true) });
  const [busy] = [test.open('a', []), test.open('b', [])];
  await test.fetches(1);
  test.due.set('a', many('a', 1));
  const former = test.requests.length;
  hint(['a', 'another']);
  await waitUntil(() => busy?.inFlight.size === 1, { what: 'the hinted delivery in flight', everyMs: 1 });
  expect(test.requests[former]?.map(({ consumerId }) => consumerId)).toEqual(['a']);
  await waitUntil(
    () => test.requests.slice(former).some((asked) => asked.some(({ consumerId }) => consumerId === 'b')),
    {
      what: 'a fetch for the other consumer',
      everyMs: 1,
    },
  );
});

it('hints shortly after a fetch share the next one', async () => {
  test = new Loop(8);
  let hint: (consumerIds: readonly string[]) => void = () => undefined;
  test.loop.listen({ onHint: (listener) => ((hint = listener), () => true) });
  const session = test.open('a', []);
  await test.fetches(1);
  const former = test.requests.length;
  for (let event = 1; event <= 4; event += 1) {
    test.due.set('a', many('a', event));
    hint(['a']);
  }
  await waitUntil(() => session.inFlight.size === 4, { what: 'all deliveries in flight', everyMs: 1 });
  expect(test.requests.slice(former).length).toBeLessThanOrEqual(2);
});

it('leaves half of the slots to other consumers when one does not answer', async () => {
  test = new Loop(6);
  const [hanging] = [test.open('a', many('a', 20)), test.open('b', [])];
  await test.fetches(4);
  expect(hanging?.inFlight.size).toBe(3);
});

it('does not send a status while an earlier one of its payment is in flight, also if that one was cancelled', async () => {
  test = new Loop(6);
  const session = test.open('a', [
    fetchedDelivery('first', { paymentId: 'p' }),
    fetchedDelivery('second', { paymentId: 'p' }),
  ]);
  await test.fetches(3);
  expect([...test.attempts.keys()]).toEqual(['first']);
  test.end('first');
  await waitUntil(() => session.inFlight.has('second'), { what: 'the second status', everyMs: 2 });
});

it('the fetch loop has no more deliveries of a new session in flight than half of the slots', async () => {
  test = new Loop(6);
  test.open('a', many('a', 20));
  await waitUntil(() => test.loop.inFlight === 3, { what: 'half of the slots in use', everyMs: 2 });
  const [first] = test.attempts.keys();
  test.end(first ?? '');
  await waitUntil(() => test.attempts.size === 4, { what: 'the next attempt', everyMs: 2 });
  expect(test.loop.inFlight).toBe(3);
});

it('the fetch loop counts requests of a session that has ended until they are recorded', async () => {
  test = new Loop(6);
  const session = test.open('a', many('a', 20));
  await waitUntil(() => test.loop.inFlight === 3, { what: 'half of the slots in use', everyMs: 2 });
  session.stop('yields');
  test.loop.drop(session);
  expect(test.loop.sending).toEqual(['a0', 'a1', 'a2']);
  const drained = test.loop.drained();
  for (const id of ['a0', 'a1', 'a2']) test.end(id);
  await drained;
  expect(test.loop.inFlight).toBe(0);
});

it('parks a delivery whose predecessor is not in flight, and not one whose predecessor is in flight', async () => {
  test = new Loop(10);
  test.open('a', [
    fetchedDelivery('first'),
    fetchedDelivery('second', { blockedBy: 'first' }),
    fetchedDelivery('other', { blockedBy: 'retried-later' }),
  ]);
  await waitUntil(() => test.parked.length > 0, { what: 'a parked delivery', everyMs: 2 });
  expect(test.parked[0]).toEqual({ id: 'other', blockedBy: 'retried-later' });
  expect([...test.attempts.keys()]).toEqual(['first']);
});

it('the fetch loop fetches again after an internal error', async () => {
  test = new Loop(10);
  test.faults = 1;
  const session = test.open('a', many('a', 1));
  await waitUntil(() => session.inFlight.size === 1, { what: 'the delivery in flight', everyMs: 5 });
  expect(await test.metrics.text()).toMatch(/dispatcher_internal_faults_total\{step="fetch"\} 1/);
});
