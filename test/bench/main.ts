import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAcceptWithEnds } from '#test/bench/accept-with-ends';
import { measureBeside } from '#test/bench/beside';
import { besideSection, writeBesideSection } from '#test/bench/beside-page';
import { measureBlockedParks } from '#test/bench/blocked-parks';
import { measureBrokenMany } from '#test/bench/broken-many';
import { measureCold } from '#test/bench/cold';
import { OWN_DIST, type Backend } from '#test/bench/environment';
import { Figures } from '#test/bench/figures';
import { measureHandover } from '#test/bench/handover';
import { measureMostlyQuiet } from '#test/bench/mostly-quiet';
import { say } from '#test/bench/numbers';
import { writePage, type Run } from '#test/bench/page';
import { measurePipeline, PIPELINE } from '#test/bench/pipeline';
import type { Plan } from '#test/bench/plan';
import { SERVERS } from '#test/bench/servers';
import { measureSeveralWorkers } from '#test/bench/several-workers';

/**
 * Measures the speed of the pipeline and the cost of an event, with the queue in Redis and in PostgreSQL.
 * `npm run bench` writes docs/benchmarks.md, `npm run bench -- --against webhookx --source DIR` its last section; with any
 * option but `--json` the page stays as it is.
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
    /** `webhookx`: instead of the scenarios, the same loads through the product and this peer in turns. */
    against: { type: 'string' },
    /** The peer's checkout, of which it is built. */
    source: { type: 'string' },
  },
});
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

const pipeline = beginning(PIPELINE, values.only);
const alone = beginning(Object.keys(ALONE), values.only);
if (pipeline.length + alone.length === 0) throw new Error(`there is no scenario ${String(values.only)}`);
const backends = chosen(BACKENDS, values.backend);
const { json, against, source, ...selection } = values;
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
if (against !== undefined) {
  if (against !== 'webhookx' || source === undefined) throw new Error('only webhookx, with --source');
  const { warmUpS, rounds } = plan;
  const beside = await measureBeside({ source, dist, commit, rounds, seconds, warmUpS });
  if (json !== undefined) await writeFile(json, `${JSON.stringify(beside, null, 2)}\n`);
  process.stdout.write(besideSection(beside, startedAt));
  if (isComplete) await writeBesideSection('docs/benchmarks.md', beside);
  process.exit();
}
let run: Run;
try {
  if (pipeline.length > 0) for (const backend of backends) await measurePipeline(plan, backend, pipeline);
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
