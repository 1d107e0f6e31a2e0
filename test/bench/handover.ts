import { setTimeout as pause } from 'node:timers/promises';
import { Bench } from '#test/bench/bench';
import { median, nowMs } from '#test/bench/numbers';
import type { Plan } from '#test/bench/plan';

const QUIET = 40;
/** Together: each quiet consumer gets an event every two seconds, so its session begins and ends each time. */
const QUIET_PER_SECOND = 20;
const AT_ONCE = 16;
/** The consumer's answers, of which one in 150 never comes: it ends by the product's timeout of 10 s. */
const BUSY = { delayMs: 50, oneHangsOf: 150, isTimed: true };
/** Until as many requests hang at any time as ever will. */
const SETTLED_AFTER_S = 25;
const ALONE_S = 15;
const SECONDS = 44;
/** More than the busy consumer takes while requests hang. */
const BACKLOG_PER_SECOND = 200;
const STEADY = 0.8;

/** A second worker joins while one consumer is busy and many come and go: the busy one must not stand still. */
export async function measureHandover({ figures, product, seconds = SECONDS }: Plan): Promise<void> {
  const bench = await Bench.openYoung(figures, { ...product, backend: 'redis' });
  try {
    const busy = await bench.insertConsumers(1, BUSY, { maxConcurrency: AT_ONCE });
    const quiet = await bench.startConsumers(QUIET);
    const lengthS = SETTLED_AFTER_S + ALONE_S + seconds;
    await bench.postBacklog(busy, lengthS * BACKLOG_PER_SECOND);
    const posting = bench.post({ ...quiet, perSecond: QUIET_PER_SECOND, seconds: lengthS });
    await pause(SETTLED_AFTER_S * 1_000);
    const alone = median(await postsEachSecond(bench, busy.ports[0] ?? 0, ALONE_S));
    const joining = bench.environment.start('worker');
    const posts = await postsEachSecond(bench, busy.ports[0] ?? 0, seconds);
    await Promise.all([joining, posting]);
    const slow = posts.filter((count) => count < STEADY * alone).length;
    const about = `the ${String(seconds)} s after a second worker began to join, for a busy consumer beside ${String(QUIET)} quiet ones`;
    figures.add('handover.rate', median(posts), '1/s', `median of ${about}; the reference is one worker`, {
      reference: alone,
    });
    figures.add('handover.rate.least', Math.min(...posts), '1/s', `least of ${about}`, { reference: alone });
    figures.add('handover.rate.slow', slow, 's', `seconds below 0.8 of one worker's median in ${about}`, {
      target: { of: 'value', atMost: 0 },
    });
  } finally {
    await bench.close();
  }
}

/** Counts the requests at a timed port in each of the next seconds. */
async function postsEachSecond(bench: Bench, port: number, seconds: number): Promise<number[]> {
  await bench.consumers.call('takeTimes', port);
  const fromMs = nowMs();
  await pause(seconds * 1_000);
  const counts = Array.from({ length: seconds }, () => 0);
  for (const atMs of await bench.consumers.call('takeTimes', port)) {
    const second = Math.floor((atMs - fromMs) / 1_000);
    if (second >= 0 && second < seconds) counts[second] = (counts[second] ?? 0) + 1;
  }
  return counts;
}
