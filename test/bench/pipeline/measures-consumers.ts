import type { Rig } from '#test/bench/pipeline/rig';

const SLOW_MS = 100;
/** The retry comes after this, so that what a consumer refuses comes again within the measurement. */
const RETRY_S = 3;
const RETRIES = 12;
/** Deliveries wait for their retry meanwhile, and must not keep the producers waiting. */
const AHEAD_OF_FAILING = 8_000;
const WARM_UP_S = 3;

/** Consumers that are slow, that fail, that are gone: beside the rate of a healthy one. */
export async function measureConsumers(rig: Rig, seconds: number): Promise<void> {
  const { figures } = rig;
  const healthy = figures.valueOf('sustained.one');

  const slow = await rig.consumers(1, { delayMs: SLOW_MS });
  figures.add(
    'consumer.slow',
    await rig.sustained(slow, seconds),
    '1/s',
    `acknowledged by one consumer that takes ${String(SLOW_MS)} ms, beside a healthy one`,
    { limit: healthy },
  );

  const failing = await rig.consumers(
    1,
    { fails: 0.5 },
    { retrySchedule: Array.from({ length: RETRIES }, () => RETRY_S) },
  );
  const pace = { ahead: AHEAD_OF_FAILING, warmUpS: 3 * RETRY_S };
  const { acknowledged, attempted } = await rig.flow(failing, seconds, pace);
  await rig.remove(failing);
  await rig.drained();
  figures.add(
    'consumer.failing',
    acknowledged,
    '1/s',
    `acknowledged by one consumer that answers every second attempt with 503, retried after ${String(RETRY_S)} s, beside a healthy one`,
    { limit: healthy },
  );
  figures.add('consumer.failing.attempts', attempted, '1/s', 'the attempts of that load', {
    limit: healthy,
  });

  const nine = await rig.consumers(9);
  const dead = await rig.deadConsumer();
  const posting = rig.post({
    companies: dead.companies,
    perSecond: healthy / 10,
    seconds: seconds + WARM_UP_S,
  });
  const { acknowledged: others } = await rig.flow(nine, seconds, { warmUpS: WARM_UP_S });
  await posting;
  await rig.remove(dead);
  await rig.drained();
  figures.add(
    'consumer.dead',
    others,
    '1/s',
    'acknowledged by nine consumers while a tenth of the events goes to one more, which refuses connections, beside nine tenths of the healthy rate',
    { limit: healthy * 0.9 },
  );
}
