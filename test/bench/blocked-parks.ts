import { Bench } from '#test/bench/bench';
import { PAYMENTS_AT_ONCE } from '#test/bench/bodies';
import { Child } from '#test/bench/child';
import type { Behaviour } from '#test/bench/consumers';
import type { DistantServer } from '#test/bench/distant-server';
import { median } from '#test/bench/numbers';
import type { Plan } from '#test/bench/plan';
import type { Consumers } from '#test/bench/rig';
import { waitUntil } from '#test/support/wait-until';

const SESSIONS = 100;
const POSTGRES_DELAY_MS = 5;
const AN_HOUR_S = 3_600;
/** Keeps the sessions open until the deliveries are due. */
const SLOW_MS = 3_000;
const LEFT = `select from pending_deliveries p where starts_with(payment_id, $1 || '-')`;
const FAILED = `${LEFT} and attempts = 1`;
/** The second statuses, and the failed payments without one. */
const BECOME_DUE = `
  update pending_deliveries p set next_attempt_at = now()
  where starts_with(payment_id, $1 || '-') and (number = 2 or attempts = 1 and not exists (
    select from pending_deliveries l where l.payment_id = p.payment_id and l.event_type = p.event_type and l.number = 2))`;

/** Each session finds a delivery that is blocked and one that is not: the first must not delay the others' second. */
export async function measureBlockedParks({ figures, product, rounds }: Plan): Promise<void> {
  const distant = Child.start<DistantServer>('distant-server.ts');
  try {
    const bench = await Bench.openYoung(figures, {
      ...product,
      backend: 'redis',
      postgresPort: (port) => distant.call('proxy', { port, delayMs: POSTGRES_DELAY_MS }),
    });
    try {
      const all = await bench.insertConsumers(SESSIONS, {}, { retrySchedule: [AN_HOUR_S] });
      const spreads: number[] = [];
      for (let round = 0; round < rounds; round += 1)
        spreads.push(await spreadOfStarts(bench, all, `P${String(round)}`));
      figures.add(
        'blocked.parks',
        median(spreads),
        'ms',
        `from the first start to the last one of ${String(SESSIONS)} sessions with a blocked delivery each, PostgreSQL ${String(POSTGRES_DELAY_MS)} ms away: the median of ${String(rounds)}`,
        { target: { of: 'value', atMost: 30 } },
      );
    } finally {
      await bench.close();
    }
  } finally {
    distant.stop();
  }
}

/**
 * A round: two payments of each consumer fail, and the next status of the first one waits behind it. While every session
 * is open, that status and the other payment become due at the same time.
 * @returns milliseconds from the first request to the last one
 */
async function spreadOfStarts(bench: Bench, all: Consumers, run: string): Promise<number> {
  const port = all.ports[0] ?? 0;
  const post = async (first: number, events: number): Promise<void> => {
    await bench.post({ ...all, run, first, events, eventsPerRequest: SESSIONS, connections: 1 });
  };
  const requests = async (behaviour: Behaviour, ask: () => Promise<unknown>): Promise<number[]> => {
    await bench.consumers.call('behave', { port, behaviour: { ...behaviour, isTimed: true } });
    await ask();
    const times: number[] = [];
    await waitUntil(async () => times.push(...(await bench.consumers.call('takeTimes', port))) >= SESSIONS, {
      what: () => `${String(SESSIONS)} requests, of which ${String(times.length)} came`,
    });
    return times;
  };
  await requests({ answer: '503' }, () => post(0, 2 * SESSIONS));
  await waitUntil(async () => (await bench.environment.sql.query(FAILED, [run])).rowCount === 2 * SESSIONS, {
    what: 'both payments of each consumer to fail',
  });
  await post(PAYMENTS_AT_ONCE, SESSIONS);
  await requests({ delayMs: SLOW_MS }, () => post(2 * SESSIONS, SESSIONS));
  const starts = await requests({}, () => bench.environment.sql.query(BECOME_DUE, [run]));
  await waitUntil(async () => (await bench.environment.sql.query(LEFT, [run])).rowCount === 2 * SESSIONS, {
    what: 'the slow answers',
  });
  return Math.max(...starts) - Math.min(...starts);
}
