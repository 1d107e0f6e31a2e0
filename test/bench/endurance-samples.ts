import { readFile } from 'node:fs/promises';
import type { Bench } from '#test/bench/bench';
import { HOT_TABLES, isSample, type Sample } from '#test/bench/endurance-verdicts';
import { latencies, nowMs } from '#test/bench/numbers';
import type { Posted } from '#test/bench/producers';
import { residentMiBOf } from '#test/bench/usage';

const MIB = 2 ** 20;
const STATEMENTS = ['accept', 'fetch', 'record'] as const;
type Statement = (typeof STATEMENTS)[number];

interface Counted {
  readonly acknowledged: number;
  readonly atMs: number;
  readonly statements: Readonly<Record<Statement, { readonly calls: number; readonly ms: number }>>;
}

/** Measures memory, statements, tables and latencies; each sample is about the time since the former one. */
export class EnduranceSamples {
  static async begin(bench: Bench): Promise<EnduranceSamples> {
    await bench.consumers.call('recordArrivals', null);
    return new EnduranceSamples(bench, await countedBy(bench));
  }

  readonly all: Sample[] = [];
  private readonly startedAtMs = nowMs();
  /** By event id, until both moments are known. */
  private readonly postedAt = new Map<string, number>();
  private readonly arrivedAt = new Map<string, number>();

  private constructor(
    private readonly bench: Bench,
    private before: Counted,
  ) {}

  /** Events that were accepted and have not arrived so far. */
  get notArrived(): number {
    return this.postedAt.size;
  }

  /** Adds a sample. @param posted the events since the former sample */
  async take(posted: Posted, retentionMs: number): Promise<Sample> {
    const arrival = latencies(await this.match(posted));
    const accept = latencies(posted.map(([, atMs, acceptedMs]) => acceptedMs - atMs));
    const { environment } = this.bench;
    const [now, tables] = [await countedBy(this.bench), await tablesOf(this.bench)];
    const { before } = this;
    this.before = now;
    const ms = (name: Statement): number =>
      (now.statements[name].ms - before.statements[name].ms) /
      (now.statements[name].calls - before.statements[name].calls);
    const redis = /used_memory:(\d+)/.exec(await environment.queue.info('memory'))?.[1];
    const sample = {
      second: (now.atMs - this.startedAtMs) / 1_000,
      'memory.api': await residentMiBOf(environment.pidOf('api')),
      'memory.worker': await residentMiBOf(environment.pidOf('worker')),
      ...(await postgresMemory(this.bench)),
      'memory.redis': Number(redis) / MIB,
      'heap.api': await heapMiB(environment.urlOf('api')),
      'heap.worker': await heapMiB(environment.urlOf('worker')),
      'ms.accept': ms('accept'),
      'ms.fetch': ms('fetch'),
      'ms.record': ms('record'),
      'ms.retention': retentionMs,
      ...tables,
      'rate.delivered': ((now.acknowledged - before.acknowledged) * 1_000) / (now.atMs - before.atMs),
      'accept.p50': accept.p50,
      'accept.p99': accept.p99,
      'arrival.p50': arrival.p50,
      'arrival.p99': arrival.p99,
    };
    if (!isSample(sample)) throw new Error('PostgreSQL has no figures of a table');
    this.all.push(sample);
    return sample;
  }

  /** @returns the time from posting to arrival of the events of which both are known by now */
  async match(posted: Posted): Promise<number[]> {
    for (const [id, atMs] of posted) this.postedAt.set(id, atMs);
    for (const [id, atMs] of await this.bench.consumers.call('nextArrivals', null))
      this.arrivedAt.set(id, atMs);
    const durations: number[] = [];
    for (const [id, atMs] of this.postedAt) {
      const arrived = this.arrivedAt.get(id);
      if (arrived === undefined) continue;
      durations.push(arrived - atMs);
      this.postedAt.delete(id);
      this.arrivedAt.delete(id);
    }
    return durations;
  }
}

async function countedBy({ environment: { sql }, consumers }: Bench): Promise<Counted> {
  const { rows } = await sql.query<{ name: Statement; calls: number; ms: number }>(
    `select name, coalesce(sum(calls), 0)::float8 as calls, coalesce(sum(total_exec_time), 0)::float8 as ms
     from unnest(array['accept', 'fetch', 'record']) name
       left join pg_stat_statements on toplevel and query ~ ('select .* from ' || name || '_(events|deliveries|attempts)\\(')
     group by name`,
  );
  const none = { calls: 0, ms: 0 };
  const of = (name: Statement) => rows.find((row) => row.name === name) ?? none;
  const statements = { accept: of('accept'), fetch: of('fetch'), record: of('record') };
  return { ...(await consumers.call('count', null)), statements };
}

/** `size` and `dead` of the hot tables, the size of the history, and the backlog. */
async function tablesOf({ environment: { sql } }: Bench): Promise<Record<string, number>> {
  const { rows } = await sql.query<{ name: string; value: number }>(
    `select 'size.' || relname as name, pg_total_relation_size(relid) / 1048576.0::float8 as value
     from pg_stat_user_tables where relname = any ($1)
     union all select 'dead.' || relname, n_dead_tup from pg_stat_user_tables where relname = any ($1)
     union all select 'size.history', sum(pg_total_relation_size(inhrelid)) / 1048576.0::float8 from pg_inherits
       where inhparent = any (array['events', 'deliveries', 'attempts']::regclass[])
     union all select 'backlog', count(*) from pending_deliveries`,
    [HOT_TABLES],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/**
 * Memory of PostgreSQL's processes, and of the largest one, that is not shared, so without `shared_buffers`. Only of those that have run for a minute: autovacuum's
 * workers and the pools' further connections come and go. Linux only.
 */
async function postgresMemory({
  environment: { sql, servers },
}: Bench): Promise<Pick<Sample, 'memory.postgres' | 'memory.backend'>> {
  const { rows } = await sql.query<{ pid: number }>(
    "select pid from pg_stat_activity where coalesce(backend_start, '-infinity') < now() - interval '1 minute'",
  );
  const mib: number[] = [];
  for (const pid of [servers.postgres.pid, ...rows.map((row) => row.pid)]) {
    const rollup = await readFile(`/proc/${String(pid)}/smaps_rollup`, 'utf8').catch(() => '');
    mib.push(Number(/^Pss_Anon:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1_024);
  }
  return { 'memory.postgres': mib.reduce((sum, one) => sum + one, 0), 'memory.backend': Math.max(...mib) };
}

async function heapMiB(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1]) / MIB;
}
