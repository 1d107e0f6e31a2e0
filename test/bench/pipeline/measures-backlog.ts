import { setTimeout as pause } from 'node:timers/promises';
import type { Consumers, Rig } from '#test/bench/pipeline/rig';

/** After a load, until Redis has freed what it held for it. */
const SETTLED_MS = 2_000;
const WATCH_EVERY_MS = 1_000;
/** How many of a consumer may be on their way; as many as it may be sent at once. */
const WINDOW = 64;
/**
 * What is refused before the circuit opens has a job for its retry, the last 144 s after its third attempt. When those
 * are due, they are put on hold like the rest.
 */
const LAST_RETRY_MS = 180_000;

interface InRedis {
  readonly memory: number;
  readonly keys: number;
  readonly jobs: number;
}

const IN_REDIS = [
  ['memory', 'MiB', 'used_memory of Redis'],
  ['keys', '', 'keys in Redis'],
  ['jobs', '', 'jobs in Redis, waiting, active or delayed,'],
] as const;

/** A dead consumer's backlog: what of it lies in Redis, and what another consumer notices. */
export async function measureBacklog(
  rig: Rig,
  one: Consumers,
  backlog: number,
  seconds: number,
): Promise<void> {
  const { figures } = rig;
  const { acknowledged: alone } = await rig.flow(one, seconds);
  await rig.drained();
  const before = await settled(rig, 0);

  const dead = await rig.deadConsumer({ maxConcurrency: WINDOW });
  const seen: InRedis[] = [];
  const watching = setInterval(() => void inRedis(rig).then((now) => seen.push(now)), WATCH_EVERY_MS);
  await rig.post({ companies: dead.companies, events: backlog, eventsPerRequest: 500, connections: 4 });
  clearInterval(watching);
  const postedAt = Date.now();
  const { acknowledged: beside } = await rig.flow(one, seconds);
  await rig.drained(one);
  const after = await settled(rig, WINDOW);
  const later = `${((Date.now() - postedAt) / 1_000).toFixed(0)} s after the last was posted`;

  const open = await rig.openDeliveries(dead);
  figures.add('backlog.open', open, '', 'deliveries open of one consumer that refuses connections');
  for (const [what, unit, about] of IN_REDIS) {
    figures.add(
      `backlog.${what}`,
      after[what],
      unit,
      `${about} with that backlog, ${later}, beside without`,
      {
        limit: before[what],
        bar: what === 'jobs' ? { of: 'value', atMost: WINDOW } : undefined,
      },
    );
    const most = Math.max(after[what], ...seen.map((now) => now[what]));
    figures.add(
      `backlog.${what}.peak`,
      most,
      unit,
      'the most while that backlog was posted: until its circuit opens, what is refused leaves a job for its retry',
      {
        limit: before[what],
      },
    );
  }
  figures.add('backlog.other', beside, '1/s', `another consumer's rate beside that backlog, beside without`, {
    limit: alone,
    bar: { of: 'ratio', atLeast: 0.9 },
  });
}

/** What is in Redis once it holds no more jobs than that, or once no retry can be on its way any more. */
async function settled(rig: Rig, jobs: number): Promise<InRedis> {
  const until = Date.now() + LAST_RETRY_MS;
  for (;;) {
    await pause(SETTLED_MS);
    const now = await inRedis(rig);
    if (now.jobs <= jobs || Date.now() > until) return now;
  }
}

async function inRedis({ stand }: Rig): Promise<InRedis> {
  const [memory, keys, { waiting, active, delayed }] = await Promise.all([
    stand.queue.info('memory'),
    stand.queue.dbsize(),
    stand.jobs(),
  ]);
  return {
    memory: Number(/used_memory:(\d+)/.exec(memory)?.[1] ?? 0) / 2 ** 20,
    keys,
    jobs: waiting + active + delayed,
  };
}
