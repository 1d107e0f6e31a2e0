import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { parseArgs, promisify } from 'node:util';
import { say } from '#test/bench/engine/report';
import { Figures } from '#test/bench/pipeline/figures';
import { measureAccept } from '#test/bench/pipeline/measures-accept';
import { measureBackend } from '#test/bench/pipeline/measures-backend';
import { measureBacklog } from '#test/bench/pipeline/measures-backlog';
import { measureConsumers } from '#test/bench/pipeline/measures-consumers';
import { measureEveryday } from '#test/bench/pipeline/measures-everyday';
import { measureHistory } from '#test/bench/pipeline/measures-history';
import { measureIdle, measureLatency } from '#test/bench/pipeline/measures-latency';
import { measureLimits } from '#test/bench/pipeline/measures-limits';
import { measureOrder } from '#test/bench/pipeline/measures-order';
import { measureDrain, measureSustained } from '#test/bench/pipeline/measures-sustained';
import { measureWorkers } from '#test/bench/pipeline/measures-workers';
import { writePage } from '#test/bench/pipeline/page';
import { fullPlan, QUICK, type BeyondQuick, type Plan } from '#test/bench/pipeline/plan';
import { Rig } from '#test/bench/pipeline/rig';
import { usageOf } from '#test/bench/pipeline/usage';

/** What can be measured alone; the last on an installation of its own, the others after a warm-up of so many events. */
const ALONE = ['everyday', 'sustained', 'order', 'workers'];
const WARM_UP_EVENTS = 5_000;

/**
 * How fast the whole pipeline is, beside what its parts could do alone, in the same run on the same machine:
 * `npm run bench -- --quick --json FILE` in four minutes, `npm run bench` in full, which writes docs/benchmarks.md.
 * `--seconds` and `--rows` make a full run shorter, `--docs` puts its page into another folder. `--only everyday`,
 * `sustained`, `order` or `workers`, which can be repeated, measures that alone, as shortly as a quick run: to compare two
 * builds in turns.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    seconds: { type: 'string' },
    rows: { type: 'string' },
    docs: { type: 'string', default: 'docs' },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const { only } = values;
const unknown = only.find((name) => !ALONE.includes(name));
if (unknown !== undefined) throw new Error(`--only ${unknown} is none of ${ALONE.join(', ')}`);
const isQuick = values.quick || only.length > 0;
const plan: Plan = isQuick
  ? QUICK
  : fullPlan({
      ...(values.seconds === undefined ? {} : { seconds: Number(values.seconds) }),
      ...(values.rows === undefined ? {} : { rows: Number(values.rows) }),
    });

const startedAt = new Date();
// Before anything is measured: what is committed meanwhile was not.
const commit = await commitNow();
const figures = new Figures();
let fault: { readonly reason: unknown } | undefined;
try {
  if (only.length === 0) await measurePipeline();
  if (only.some((name) => name !== 'workers')) await measureOnly();
  if (only.includes('workers')) await measureWorkers(figures, plan.workersS);
  if (plan.beyond !== null) await measureOthers(plan.beyond);
} catch (reason) {
  // What was measured before it is worth keeping.
  fault = { reason };
}

const machine = `${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, ${String(Math.round(totalmem() / 2 ** 30))} GiB, Node ${process.version}`;
const minutes = (Date.now() - startedAt.getTime()) / 60_000;
say(`took ${minutes.toFixed(1)} minutes`);
if (values.json !== undefined)
  await writeFile(values.json, `${JSON.stringify({ commit, machine, figures: figures.all }, null, 2)}\n`);
if (fault !== undefined) throw fault.reason;
if (!isQuick) await writePage(values.docs, { commit, machine, startedAt, minutes, plan, figures });

/** One installation, from empty to a million deliveries. */
async function measurePipeline(): Promise<void> {
  const rig = await Rig.open(figures, 'redis');
  try {
    const atRest = await usageOf(rig.stand.pidOf('api'));
    figures.add('memory.api.rest', atRest.residentMiB, 'MiB', 'resident after its start');
    const one = await rig.consumers(1);
    const limits = await measureLimits(rig, one, plan.limitS);
    await measureAccept(rig, one, limits, plan.acceptS);
    await measureDrain(rig, one, plan.backlog, limits);
    const hundred = await rig.consumers(100);
    await measureSustained(rig, one, hundred, limits, plan.sustainedS);
    await measureLatency(rig, one, plan.shares, plan.latencyS);
    await measureIdle(rig, one, plan.idle);
    await measureEveryday(rig, one, plan.everydayS);
    if (plan.beyond === null) return;
    await measureConsumers(rig, plan.beyond.consumersS);
    await measureOrder(rig, plan.orderPayments);
    await measureBacklog(rig, one, plan.beyond.deadBacklog, plan.beyond.consumersS);
  } finally {
    await rig.close();
  }
}

/** What `--only` names, workers apart. Everyday loads come first: before them each build has delivered as many. */
async function measureOnly(): Promise<void> {
  const rig = await Rig.open(figures, 'redis');
  try {
    await rig.stand.start('worker');
    const one = await rig.consumers(1);
    await rig.post({ companies: one.companies, events: WARM_UP_EVENTS });
    await rig.drained();
    if (only.includes('everyday')) await measureEveryday(rig, one, plan.everydayS);
    if (only.includes('sustained')) {
      const limits = await measureLimits(rig, one, plan.limitS);
      await measureSustained(rig, one, await rig.consumers(100), limits, plan.sustainedS);
      await measureLatency(rig, one, plan.shares, plan.latencyS);
    }
    if (only.includes('order')) await measureOrder(rig, plan.orderPayments);
  } finally {
    await rig.close();
  }
}

/** Installations of their own. */
async function measureOthers({ finished }: BeyondQuick): Promise<void> {
  await measureWorkers(figures, plan.workersS);
  await measureBackend(figures, plan);
  await measureHistory(figures, finished, plan.sustainedS);
}

async function commitNow(): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['describe', '--always', '--dirty', '--exclude', '*']);
  return stdout.trim();
}
