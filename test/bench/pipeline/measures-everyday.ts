import { setTimeout as pause } from 'node:timers/promises';
import { nowMs } from '#test/bench/pipeline/clock';
import type { Latencies } from '#test/bench/pipeline/latencies';
import { untilArrival } from '#test/bench/pipeline/measures-latency';
import { metered, type Metered } from '#test/bench/pipeline/meter';
import type { Consumers, Rig } from '#test/bench/pipeline/rig';

/** Of each load, before it is measured. */
const WARM_UP_S = 5;
/** Posting goes on for so long behind the measurement, so that its end is under load, too. */
const AFTER_S = 1;
/** What the product is and stands on; producers and consumers are not part of it. */
const PARTS = ['api', 'worker', 'postgres', 'redis'] as const;

/** A few events a second, as on most days: what one costs, and how soon it arrives. */
export async function measureEveryday(rig: Rig, one: Consumers, seconds: number): Promise<void> {
  const { figures } = rig;
  const twenty = await rig.consumers(20);
  // What earlier loads have left to clean and to write is not charged to these.
  await rig.stand.sql.query('vacuum (analyze)');
  await rig.stand.sql.query('checkpoint');

  const { meter, arrival } = await everydayAt(rig, one, 100, seconds);
  const load = 'at 100 events a second, one consumer';
  addCpu(rig, '', meter, load);
  figures.add('everyday.p50', arrival.p50, 'ms', `from posting to arrival ${load}`);
  figures.add('everyday.p99', arrival.p99, 'ms', 'the same, of the slowest hundredth');
  const messages = `an event ${load}; what is sent at once is one (TCP segments with data), beside`;
  figures.add(
    'everyday.postgres.messages',
    meter.messages.postgres,
    '',
    `messages to PostgreSQL ${messages} SQL statements, BEGIN and COMMIT included`,
    { parts: { statements: meter.sqlPerDelivery } },
  );
  figures.add(
    'everyday.redis.messages',
    meter.messages.redis,
    '',
    `messages to Redis ${messages} commands, those inside scripts included`,
    { parts: { commands: meter.redisPerDelivery } },
  );
  for (const [suffix, consumers, perSecond, about] of [
    ['.20', twenty, 100, 'at 100 events a second, 20 consumers in turn'],
    ['.250', one, 250, 'at 250 events a second, one consumer'],
    ['.500', one, 500, 'at 500 events a second, one consumer'],
  ] as const)
    addCpu(rig, suffix, (await everydayAt(rig, consumers, perSecond, seconds)).meter, about);
}

/** Posts at an even pace, whatever becomes of those before; the warm-up is not measured. */
async function everydayAt(
  rig: Rig,
  { companies }: Consumers,
  perSecond: number,
  seconds: number,
): Promise<{ meter: Metered; arrival: Latencies }> {
  await rig.sink.ask('noteArrivals', null);
  let [fromMs, toMs] = [0, 0];
  const [meter, { posted }] = await Promise.all([
    pause(WARM_UP_S * 1_000).then(() =>
      metered(rig, async () => {
        fromMs = nowMs();
        await pause(seconds * 1_000);
        toMs = nowMs();
      }),
    ),
    rig.post({ companies, perSecond, events: perSecond * (WARM_UP_S + seconds + AFTER_S), notes: true }),
  ]);
  const measured = posted.filter(([, atMs]) => atMs >= fromMs && atMs < toMs);
  return { meter, arrival: await untilArrival(rig, measured) };
}

function addCpu({ figures }: Rig, suffix: string, { cpu }: Metered, load: string): void {
  const parts = Object.fromEntries(PARTS.map((part) => [part, (cpu[part] ?? 0) / 1_000]));
  const all = PARTS.reduce((sum, part) => sum + (parts[part] ?? 0), 0);
  figures.add(`everyday.cpu${suffix}`, all, 'ms', `processor time an event ${load}`, { parts });
}
