import { messagesBetween, messagesTo, type Messages } from '#test/bench/pipeline/messages';
import type { Rig } from '#test/bench/pipeline/rig';
import { usageOf } from '#test/bench/pipeline/usage';

/** What a stretch of load has used, of the product and of what it stands on. */
export interface Metered {
  readonly deliveries: number;
  /** Microseconds of processor time a delivery, by process. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly sqlPerDelivery: number;
  readonly redisPerDelivery: number;
  /** What the product has sent to each server, a delivery; see `messagesTo`. */
  readonly messages: Readonly<Record<'postgres' | 'redis', number>>;
  readonly peakMiB: Readonly<Record<'api' | 'worker', number>>;
}

const SAMPLE_EVERY_MS = 500;

/** Runs `work` and meters it: counters of the servers before and after, memory twice a second. */
export async function metered(rig: Rig, work: () => Promise<void>): Promise<Metered> {
  const { stand, sink, poster } = rig;
  const pids: Record<string, number> = {
    api: stand.pidOf('api'),
    worker: stand.pidOf('worker'),
    postgres: stand.postgres.pid,
    redis: stand.redis.pid,
    consumers: sink.pid,
    producers: poster.pid,
  };
  const peakMiB = { api: 0, worker: 0 };
  const sample = async (): Promise<void> => {
    for (const role of ['api', 'worker'] as const) {
      peakMiB[role] = Math.max(peakMiB[role], (await usageOf(pids[role] ?? 0)).residentMiB);
    }
  };
  const usedBefore = await cpuOf(pids);
  const countBefore = await sink.ask('count', null);
  await stand.sql.query('select pg_stat_statements_reset()');
  const redisBefore = await redisCommands(rig);
  const messagesBefore = await messagesOf(rig);
  const sampling = setInterval(() => void sample(), SAMPLE_EVERY_MS);
  await work();
  clearInterval(sampling);
  await sample();
  const messagesAfter = await messagesOf(rig);
  const { rows } = await stand.sql.query<{ calls: number }>(
    `select sum(calls)::int as calls from pg_stat_statements where query not like '%pg_stat_statements%'`,
  );
  const redisAfter = await redisCommands(rig);
  const countAfter = await sink.ask('count', null);
  const usedAfter = await cpuOf(pids);
  const deliveries = countAfter.acknowledged - countBefore.acknowledged;
  return {
    deliveries,
    cpu: Object.fromEntries(
      Object.keys(pids).map((name) => [
        name,
        (((usedAfter[name] ?? 0) - (usedBefore[name] ?? 0)) / deliveries) * 1e6,
      ]),
    ),
    sqlPerDelivery: (rows[0]?.calls ?? 0) / deliveries,
    redisPerDelivery: (redisAfter - redisBefore) / deliveries,
    messages: {
      postgres: messagesBetween(messagesBefore.postgres, messagesAfter.postgres) / deliveries,
      redis: messagesBetween(messagesBefore.redis, messagesAfter.redis) / deliveries,
    },
    peakMiB,
  };
}

async function cpuOf(pids: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  const used: Record<string, number> = {};
  for (const [name, pid] of Object.entries(pids)) used[name] = (await usageOf(pid)).cpuSeconds;
  return used;
}

/** As Redis counts: those that its scripts call count too. */
async function redisCommands({ stand }: Rig): Promise<number> {
  const info = await stand.queue.info('stats');
  return Number(/total_commands_processed:(\d+)/.exec(info)?.[1] ?? 0);
}

/** The benchmark's own connections count too; what they send while something is metered is next to nothing. */
async function messagesOf({ stand }: Rig): Promise<Record<'postgres' | 'redis', Messages>> {
  const [postgres, redis] = await Promise.all([
    messagesTo(stand.postgres.port),
    messagesTo(stand.redis.port),
  ]);
  return { postgres, redis };
}
