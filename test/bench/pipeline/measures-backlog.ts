import { setTimeout as pause } from 'node:timers/promises';
import type { Consumers, Rig } from '#test/bench/pipeline/rig';

/** After a load, until Redis has freed what it held for it. */
const SETTLED_MS = 2_000;
const WATCH_EVERY_MS = 1_000;
/** A consumer's session and its timer. */
const JOBS_OF_ONE = 2;

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
  const before = await settled(rig);

  const dead = await rig.deadConsumer();
  const seen: InRedis[] = [];
  const watching = setInterval(() => void inRedis(rig).then((now) => seen.push(now)), WATCH_EVERY_MS);
  await rig.post({ companies: dead.companies, events: backlog, eventsPerRequest: 500, connections: 4 });
  clearInterval(watching);
  const postedAt = Date.now();
  const { acknowledged: beside } = await rig.flow(one, seconds);
  await rig.drained(one);
  const after = await settled(rig);
  const later = `${((Date.now() - postedAt) / 1_000).toFixed(0)} s after the last was posted`;

  const pending = await rig.pendingDeliveries(dead);
  figures.add('backlog.pending', pending, '', 'deliveries pending of one consumer that refuses connections');
  for (const [what, unit, about] of IN_REDIS) {
    figures.add(
      `backlog.${what}`,
      after[what],
      unit,
      `${about} with that backlog, ${later}, beside without`,
      {
        limit: before[what],
        bar: what === 'jobs' ? { of: 'value', atMost: JOBS_OF_ONE } : undefined,
      },
    );
    const most = Math.max(after[what], ...seen.map((now) => now[what]));
    figures.add(`backlog.${what}.peak`, most, unit, 'the most while that backlog was posted', {
      limit: before[what],
    });
  }
  figures.add('backlog.other', beside, '1/s', `another consumer's rate beside that backlog, beside without`, {
    limit: alone,
    bar: { of: 'ratio', atLeast: 0.9 },
  });
}

async function settled(rig: Rig): Promise<InRedis> {
  await pause(SETTLED_MS);
  return inRedis(rig);
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
