import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAcceptWithEnds } from '#test/bench/accept-with-ends';
import { Bench } from '#test/bench/bench';
import { measureBlockedParks } from '#test/bench/blocked-parks';
import { measureBrokenConsumers } from '#test/bench/broken-consumers';
import { measureBrokenMany } from '#test/bench/broken-many';
import { measureCold } from '#test/bench/cold';
import { OWN_DIST, type Backend } from '#test/bench/environment';
import { EVERYDAY_PER_SECOND, measureEveryday, measureEverydayCold } from '#test/bench/everyday';
import { Figures } from '#test/bench/figures';
import { measureHandover } from '#test/bench/handover';
import { measureLatency } from '#test/bench/latency';
import { measureMostlyQuiet } from '#test/bench/mostly-quiet';
import { say } from '#test/bench/numbers';
import { writePage, type Run } from '#test/bench/page';
import type { Plan } from '#test/bench/plan';
import type { Consumers } from '#test/bench/rig';
import { SERVERS } from '#test/bench/servers';
import { measureSeveralWorkers } from '#test/bench/several-workers';
import { measureSustained } from '#test/bench/sustained';
import { measureSustained64 } from '#test/bench/sustained-64';

/**
 * Measures the speed of the pipeline and the cost of an event, with the queue in Redis and in PostgreSQL.
 * `npm run bench` writes docs/benchmarks.md; with any option but `--json` the page stays as it is.
 */
const { values } = parseArgs({
  options: {
    /** Length of each load. */
    seconds: { type: 'string' },
    /** A scenario, or all whose names begin with this word: `cold`, `everyday`, `sustained.64`. */
    only: { type: 'string', multiple: true },
    backend: { type: 'string', multiple: true },
    /** Another build's dist/apps. */
    dist: { type: 'string' },
    /** `debian`: PostgreSQL 15 and Redis with Debian's defaults. */
    servers: { type: 'string' },
    /** Seconds at 100 events a second before the warm figures. */
    'warm-up': { type: 'string' },
    /** Repetitions of `cold` and `blocked`. */
    rounds: { type: 'string' },
    /** A file for the figures. */
    json: { type: 'string' },
  },
});
/** They share an installation, which is measured with each backend. */
const PIPELINE = ['everyday.cold', 'everyday', 'sustained.64', 'sustained', 'broken'] as const;
type Pipeline = (typeof PIPELINE)[number];
/** Each has its own installation. */
const ALONE: Readonly<Record<string, (plan: Plan) => Promise<void>>> = {
  'cold.sustained': measureCold,
  'handover.rate': measureHandover,
  'accept.with_ends': measureAcceptWithEnds,
  'broken.many': measureBrokenMany,
  'blocked.parks': measureBlockedParks,
  'mostly.quiet': measureMostlyQuiet,
  workers: measureSeveralWorkers,
};
const BACKENDS: readonly Backend[] = ['redis', 'postgres'];
const WARM_UP_S = 75;
const ROUNDS = 3;
/** Deliveries of a broken consumer, for each second of a load. */
const BACKLOG_PER_SECOND = 2_500;

const pipeline = beginning(PIPELINE, values.only);
const alone = beginning(Object.keys(ALONE), values.only);
if (pipeline.length + alone.length === 0) throw new Error(`there is no scenario ${String(values.only)}`);
const backends = chosen(BACKENDS, values.backend);
const { json, ...selection } = values;
const isComplete = Object.keys(selection).length === 0;
const dist = resolve(values.dist ?? OWN_DIST);
const seconds = Number(values.seconds ?? 20);

const startedAt = new Date();
// Read before the run, because later changes are not measured.
const commit = commitOf(dist);
const figures = new Figures();
const plan: Plan = {
  figures,
  product: { dist, servers: chosen(SERVERS, [values.servers ?? 'tuned'])[0] ?? 'tuned' },
  ...(values.seconds === undefined ? {} : { seconds }),
  warmUpS: Number(values['warm-up'] ?? WARM_UP_S),
  rounds: Number(values.rounds ?? ROUNDS),
};
let run: Run;
try {
  if (pipeline.length > 0) for (const backend of backends) await measurePipeline(backend);
  for (const name of alone) await ALONE[name]?.(plan);
} finally {
  const minutes = (Date.now() - startedAt.getTime()) / 60_000;
  const machine = `${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, ${String(Math.round(totalmem() / 2 ** 30))} GiB, Node ${process.version}`;
  run = { commit, machine, startedAt, minutes, figures: figures.all };
  say(`took ${minutes.toFixed(1)} minutes`);
  // An error must not lose the figures measured before it.
  if (json !== undefined) await writeFile(json, `${JSON.stringify(run, null, 2)}\n`);
}
if (isComplete) await writePage('docs/benchmarks.md', run);

/** Measures a new installation, so that each backend starts with the same history. */
async function measurePipeline(backend: Backend): Promise<void> {
  const own = backend === 'redis' ? figures : figures.prefixed(`${backend}.`);
  const bench = await Bench.openYoung(own, { ...plan.product, backend });
  const warm: Readonly<Record<Exclude<Pipeline, 'everyday.cold'>, (one: Consumers) => Promise<void>>> = {
    everyday: (one) => measureEveryday(bench, one, seconds),
    'sustained.64': (one) => measureSustained64(bench, one, seconds),
    sustained: async (one) => {
      await measureSustained(bench, one, seconds);
      await measureLatency(bench, one, seconds);
    },
    broken: (one) => measureBrokenConsumers(bench, one, { seconds, backlog: seconds * BACKLOG_PER_SECOND }),
  };
  try {
    const one = await bench.startConsumers(1);
    if (pipeline.includes('everyday.cold')) await measureEverydayCold(bench, one, seconds);
    const rest = pipeline.filter((name) => name !== 'everyday.cold');
    if (rest.length > 0) await bench.post({ ...one, perSecond: EVERYDAY_PER_SECOND, seconds: plan.warmUpS });
    await bench.delivered(one);
    for (const name of rest) await warm[name](one);
  } finally {
    await bench.close();
  }
}

/** The scenarios whose name is one of these words, or begins with it; all by default. */
function beginning<T extends string>(names: readonly T[], words: readonly string[] | undefined): T[] {
  return names.filter((name) => words?.some((word) => `${name}.`.startsWith(`${word}.`)) ?? true);
}

/** The known values that an option selects; all by default. @throws for an unknown value */
function chosen<T extends string>(known: readonly T[], names: readonly string[] | undefined): readonly T[] {
  const unknown = names?.find((name) => !known.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`${unknown} is not one of ${known.join(', ')}`);
  return known.filter((one) => names?.includes(one) ?? true);
}

/** The commit of a build's checkout. */
function commitOf(folder: string): string {
  try {
    return execFileSync('git', ['-C', folder, 'describe', '--always', '--dirty', '--exclude', '*'], {
      encoding: 'utf8',
    }).trim();
  } catch {
    return 'unknown (its build is in no checkout)';
  }
}
