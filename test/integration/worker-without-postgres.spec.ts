import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sessions } from '#apps/worker/src/session/sessions.service';
import { Readiness } from '#libs/observability';
import { Link, type Disturbance } from '#test/chaos/link';
import {
  startDispatcherInProcess,
  type DispatcherInProcess,
  type WorkerInProcess,
} from '#test/support/dispatcher-in-process';
import { ServedConsumer } from '#test/support/served-consumer';
import { waitUntil } from '#test/support/wait-until';

let services: DispatcherInProcess;
let link: Link;
let consumers: ServedConsumer[];
let cutOff: WorkerInProcess;
let other: WorkerInProcess;

beforeAll(async () => {
  services = await startDispatcherInProcess();
  const url = new URL(services.databaseUrl);
  link = await Link.open(Number(url.port));
  url.port = String(link.port);
  consumers = await Promise.all(Array.from({ length: 8 }, () => ServedConsumer.add(services)));
  cutOff = await services.startWorker({ DATABASE_URL: url.href });
  other = await services.startWorker();
});
afterAll(async () => {
  link.set({ kind: 'normal' });
  await services.close();
  await link.close();
});

const readinessOf = async ({ app }: WorkerInProcess): Promise<string | undefined> =>
  (await app.get(Readiness, { strict: false }).report()).checks['worker'];
const sessionsOf = ({ app }: WorkerInProcess): readonly string[] =>
  app.get(Sessions, { strict: false }).condition().sessions;

/** Accepts one event for each consumer, and waits until all have arrived. */
async function allGetOneMore(): Promise<void> {
  const before = consumers.map(({ arrivals }) => arrivals.length);
  await Promise.all(consumers.map((consumer) => consumer.acceptMany(1)));
  await waitUntil(() => consumers.every(({ arrivals }, index) => arrivals.length > (before[index] ?? 0)), {
    what: () => `an event for each consumer; ${consumers.map(({ arrivals }) => arrivals.length).join(' ')}`,
  });
}

const CUTS: readonly [string, Disturbance | null][] = [
  ['refuses the connections of one worker', null],
  ['is silent for one worker', { kind: 'blackhole' }],
  ['receives from one worker and does not reach it', { kind: 'one-way link', drops: 'from server' }],
];

it.each(CUTS)(
  'the other worker delivers everything while PostgreSQL %s, and that worker takes jobs again afterwards',
  async (_how, disturbance) => {
    await allGetOneMore();
    if (disturbance === null) link.refuse(true);
    else link.set(disturbance);
    // The cut worker keeps getting jobs at first.
    await allGetOneMore();
    await waitUntil(
      async () => {
        expect(await readinessOf(cutOff)).toMatch(/^it takes no jobs, since PostgreSQL has not answered/);
        expect(sessionsOf(cutOff)).toEqual([]);
        return true;
      },
      { what: 'the cut worker to hold no consumer and not to be ready' },
    );
    expect(await readinessOf(other)).toBe('ok');
    await allGetOneMore();
    if (disturbance === null) link.refuse(false);
    else link.set({ kind: 'normal' });
    await waitUntil(async () => (await readinessOf(cutOff)) === 'ok', { what: 'the cut worker to be ready' });
  },
);

it('a worker for which PostgreSQL is silent stops within 20 s, and the other worker delivers', async () => {
  link.set({ kind: 'blackhole' });
  await Promise.all(consumers.map((consumer) => consumer.acceptMany(1)));
  const stoppedAt = performance.now();
  await cutOff.close();
  expect(performance.now() - stoppedAt).toBeLessThan(20_000);
  await allGetOneMore();
});
