import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { Bench } from '#test/bench/bench';
import { measureBrokenConsumers } from '#test/bench/broken-consumers';
import type { Backend } from '#test/bench/environment';
import { measureEveryday } from '#test/bench/everyday';
import { Figures } from '#test/bench/figures';
import { measureLatency } from '#test/bench/latency';
import { say } from '#test/bench/numbers';
import { writePage, type Run } from '#test/bench/page';
import { measureSeveralWorkers } from '#test/bench/several-workers';
import { measureSustained } from '#test/bench/sustained';

/**
 * Measures the speed of the pipeline and the cost of an event, with the queue in Redis and in PostgreSQL.
 * `npm run bench` writes docs/benchmarks.md. `--seconds 5` shortens each load, `--only everyday` (repeatable) selects
 * scenarios, `--backend redis` selects a queue; with any of these options the page stays as it is.
 * `--json FILE` writes the figures.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    only: { type: 'string', multiple: true },
    backend: { type: 'string', multiple: true },
    json: { type: 'string' },
  },
});
const SCENARIOS = ['sustained', 'everyday', 'broken', 'workers'] as const;
const BACKENDS: readonly Backend[] = ['redis', 'postgres'];
const seconds = Number(values.seconds ?? 20);
const scenarios = chosen(SCENARIOS, values.only);
const backends = chosen(BACKENDS, values.backend);
const isComplete = [values.seconds, values.only, values.backend].every((option) => option === undefined);
const WARM_UP_EVENTS = 5_000;
/** Deliveries of a broken consumer, for each second of a load. */
const BACKLOG_PER_SECOND = 2_500;

const startedAt = new Date();
// Read before the run, because later changes are not measured.
const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], {
  encoding: 'utf8',
});
const figures = new Figures();
let run: Run;
try {
  for (const backend of backends) await measurePipeline(backend);
  if (scenarios.includes('workers')) await measureSeveralWorkers(figures, seconds);
} finally {
  const minutes = (Date.now() - startedAt.getTime()) / 60_000;
  const machine = `${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, ${String(Math.round(totalmem() / 2 ** 30))} GiB, Node ${process.version}`;
  run = { commit: commit.trim(), machine, startedAt, minutes, figures: figures.all };
  say(`took ${minutes.toFixed(1)} minutes`);
  // An error must not lose the figures measured before it.
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(run, null, 2)}\n`);
}
if (isComplete) await writePage('docs/benchmarks.md', run);

/** Measures a new installation, so that each backend starts with the same history. */
async function measurePipeline(backend: Backend): Promise<void> {
  const own = backend === 'redis' ? figures : figures.prefixed(`${backend}.`);
  const bench = await Bench.open(own, { backend });
  try {
    const one = await bench.startConsumers(1);
    await bench.post({ companies: one.companies, events: WARM_UP_EVENTS });
    await bench.delivered(one);
    if (scenarios.includes('everyday')) await measureEveryday(bench, one, seconds);
    if (scenarios.includes('sustained')) {
      await measureSustained(bench, one, seconds);
      await measureLatency(bench, one, seconds);
    }
    if (scenarios.includes('broken'))
      await measureBrokenConsumers(bench, one, { seconds, backlog: seconds * BACKLOG_PER_SECOND });
  } finally {
    await bench.close();
  }
}

/** The known values that an option selects; all by default. @throws for an unknown value */
function chosen<T extends string>(known: readonly T[], names: readonly string[] | undefined): readonly T[] {
  const unknown = names?.find((name) => !known.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`${unknown} is not one of ${known.join(', ')}`);
  return known.filter((one) => names?.includes(one) ?? true);
}
