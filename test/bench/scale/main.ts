import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { round } from '#test/bench/engine/report';
import { Figures } from '#test/bench/pipeline/figures';
import { Rig, type Consumers } from '#test/bench/pipeline/rig';
import { usageOf } from '#test/bench/pipeline/usage';

/**
 * What one, two and four worker processes make of the same work, and which processes the machine's cores go to:
 * `npm run bench:scale`, a minute and a half.
 */
const { values } = parseArgs({
  options: {
    backlog: { type: 'string', default: '30000' },
    seconds: { type: 'string', default: '8' },
    consumers: { type: 'string', default: '16' },
    workers: { type: 'string', default: '1,2,4' },
  },
});
const WORKERS = values.workers.split(',').map(Number);

interface Measured {
  readonly perSecond: number;
  readonly sqlPerDelivery: number;
  /** Cores in use, by process, several of a kind together; `elsewhere`: by what is none of the benchmark's. */
  readonly cores: Readonly<Record<string, number>>;
}

const rig = await Rig.open(new Figures(), 'redis');
try {
  const consumers = await rig.consumers(Number(values.consumers));
  const rows: string[] = [];
  for (const count of WORKERS) {
    rows.push(row(`drain of ${values.backlog}`, count, await drain(consumers, count)));
    rows.push(row('accept and deliver', count, await sustained(consumers)));
    await endWorkers();
  }
  process.stdout.write(
    [
      `${String(cpus().length)} cores, ${values.consumers} consumers, one api`,
      '',
      '| work | workers | 1/s | SQL a delivery | cores: api | workers | PostgreSQL | Redis | consumers and producers | elsewhere |',
      '|---|---|---|---|---|---|---|---|---|---|',
      ...rows.toSorted(),
      '',
    ].join('\n'),
  );
} finally {
  await rig.close();
}

/** From the moment at which all workers are up until nothing is open. */
async function drain({ companies }: Consumers, workers: number): Promise<Measured> {
  await rig.post({ companies, events: Number(values.backlog), eventsPerRequest: 100, connections: 4 });
  for (let worker = 0; worker < workers; worker += 1) await rig.stand.start('worker');
  return measured(() => rig.drained());
}

/** Producers post as fast as the consumers acknowledge. */
function sustained(consumers: Consumers): Promise<Measured> {
  return measured(async () => {
    await rig.sustained(consumers, Number(values.seconds));
  });
}

async function measured(work: () => Promise<void>): Promise<Measured> {
  const pids = await pidsOfKinds();
  await rig.stand.sql.query('select pg_stat_statements_reset()');
  const [cpuBefore, before] = [await cpuOf(pids), await rig.sink.ask('count', null)];
  await work();
  const [cpuAfter, after] = [await cpuOf(pids), await rig.sink.ask('count', null)];
  const { rows: statements } = await rig.stand.sql.query<{ calls: number }>(
    `select sum(calls)::int as calls from pg_stat_statements where query not like '%pg_stat_statements%'`,
  );
  const seconds = (after.atMs - before.atMs) / 1_000;
  const deliveries = after.acknowledged - before.acknowledged;
  if (deliveries === 0)
    throw new Error('the work was over before all workers were up: give a larger --backlog');
  return {
    perSecond: deliveries / seconds,
    sqlPerDelivery: (statements[0]?.calls ?? 0) / deliveries,
    cores: Object.fromEntries(
      Object.entries(cpuAfter).map(([kind, used]) => [kind, (used - (cpuBefore[kind] ?? 0)) / seconds]),
    ),
  };
}

async function pidsOfKinds(): Promise<Record<string, readonly number[]>> {
  const { stand, sink, poster } = rig;
  return {
    api: [stand.pidOf('api')],
    workers: await workerPids(),
    postgres: [stand.postgres.pid],
    redis: [stand.redis.pid],
    around: [sink.pid, poster.pid],
  };
}

/** Those that say of themselves that they live. */
async function workerPids(): Promise<number[]> {
  const { rows: alive } = await rig.stand.sql.query<{ pid: number }>('select pid from workers');
  return alive.map(({ pid }) => pid);
}

/** In good order: each takes its row with it. */
async function endWorkers(): Promise<void> {
  for (const pid of await workerPids()) process.kill(pid, 'SIGTERM');
  while ((await workerPids()).length > 0) await pause(50);
  await rig.stand.stop('worker');
}

/** Seconds of processor time used so far. */
async function cpuOf(pids: Readonly<Record<string, readonly number[]>>): Promise<Record<string, number>> {
  const used: Record<string, number> = {};
  let own = 0;
  for (const [kind, all] of Object.entries(pids)) {
    const each = await Promise.all(all.map((pid) => usageOf(pid)));
    const together = each.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
    used[kind] = together;
    own += together;
  }
  used['elsewhere'] = (await busySeconds()) - own;
  return used;
}

/** Of the whole machine since its start: all but idle and waiting for disks (proc(5)). */
async function busySeconds(): Promise<number> {
  const [first = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = first.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softIrq) / 100;
}

function row(work: string, workers: number, { perSecond, sqlPerDelivery, cores }: Measured): string {
  const figures = [sqlPerDelivery, ...Object.values(cores)].map((value) => round(value, 2).toFixed(2));
  return `| ${[work, workers, Math.round(perSecond), ...figures].join(' | ')} |`;
}
