/**
 * A run of 30 minutes at 60 % of the machine's rate, with twelve "weeks" in it: partitions are made, filled and dropped, and
 * payments and idempotency keys are removed, all the time. `npm run bench:endurance` writes
 * docs/measurements/endurance.md, docs/images/endurance.png and test/results/endurance.json; `-- --minutes 2 --to DIR` writes them to a
 * folder, to try the program: a vacuum comes once a minute, so sizes are judged too early. Exits with 1 when a limit is missed.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '#libs/database';
import { Bench } from '#test/bench/bench';
import { takePicture } from '#test/bench/endurance-charts';
import { endurancePage, type EnduranceRun } from '#test/bench/endurance-page';
import { EnduranceSamples } from '#test/bench/endurance-samples';
import { verdictsOf } from '#test/bench/endurance-verdicts';
import { OWN_DIST } from '#test/bench/environment';
import { Figures } from '#test/bench/figures';
import { nowMs, say } from '#test/bench/numbers';
import type { Posted } from '#test/bench/producers';
import { ShortPartitions } from '#test/bench/short-partitions';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    /** The folder of the project, or another one. */
    to: { type: 'string', default: join(import.meta.dirname, '../..') },
  },
});
const minutes = Number(values.minutes);
const CONSUMERS = 100;
const SHARE = 0.6;
const WEEKS = 12;
const SAMPLE_S = 10;
const WARM_UP_S = 20;
const SUSTAINED_S = 20;

const startedAt = new Date();
// Read before the run, because later changes are not measured.
const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], {
  encoding: 'utf8',
});
const bench = await Bench.openYoung(new Figures(), { backend: 'redis', dist: OWN_DIST, servers: 'tuned' });
const db = openDatabase({ url: bench.environment.servers.postgres.adminUrl, poolSize: 1, queryTimeoutMs: 0 });
let run: EnduranceRun;
try {
  run = await measure();
} finally {
  await db.destroy();
  await bench.close();
}
for (const { name, must, reference, worst, isMet } of run.verdicts)
  say(
    `${isMet ? 'met    ' : 'NOT MET'} ${name}: ${worst.toFixed(2)}, reference ${reference.toFixed(2)}; ${must}`,
  );
await write('test/results/endurance.json', `${JSON.stringify(run, null, 2)}\n`);
await write('docs/measurements/endurance.md', endurancePage(run));
await write('docs/images/endurance.png', await takePicture(run.samples));
process.exit(run.verdicts.every(({ isMet }) => isMet) ? 0 : 1);

async function measure(): Promise<EnduranceRun> {
  const partitions = await ShortPartitions.begin(db, (minutes * 60_000) / WEEKS);
  const consumers = await bench.startConsumers(CONSUMERS);
  await bench.post({ ...consumers, perSecond: 100, seconds: WARM_UP_S });
  const { perSecond: sustained } = await bench.sustained(consumers, SUSTAINED_S);
  const perSecond = Math.round(sustained * SHARE);
  say(
    `sustained ${sustained.toFixed(0)} events a second; now ${String(perSecond)} for ${String(minutes)} minutes`,
  );

  const samples = await EnduranceSamples.begin(bench);
  const beganAtMs = nowMs();
  const slices = Math.round((minutes * 60) / SAMPLE_S);
  let [posted, refused, before]: [number, number, Promise<Posted>] = [0, 0, Promise.resolve([])];
  const { dropped: droppedBefore } = partitions;
  for (let slice = 0; slice < slices; slice += 1) {
    await partitions.make();
    const retaining = partitions.retain();
    // The former slice's last answers come while the next slice is posted.
    const posting = bench
      .post({ ...consumers, perSecond, events: perSecond * SAMPLE_S, recordPosts: true })
      .catch((error: unknown) => {
        say(String(error));
        refused += 1;
        return [];
      });
    await pause(beganAtMs + (slice + 1) * SAMPLE_S * 1_000 - nowMs());
    const [done, retentionMs] = await Promise.all([before, retaining]);
    posted += done.length;
    before = posting;
    if (slice === 0) continue;
    const sample = await samples.take(done, retentionMs);
    say(
      Object.entries(sample)
        .map(([name, value]) => `${name} ${value.toFixed(1)}`)
        .join(', '),
    );
  }
  const last = await before;
  await bench.delivered(consumers);
  await pause(1_000);
  await samples.match(last);
  const totals = {
    posted: posted + last.length,
    notArrived: samples.notArrived,
    refused,
    partitionsMade: partitions.made,
    partitionsDropped: partitions.dropped - droppedBefore,
  };
  return {
    commit: commit.trim(),
    startedAt: startedAt.toISOString(),
    minutes,
    sustained,
    perSecond,
    totals,
    verdicts: verdictsOf(samples.all, totals),
    samples: samples.all,
  };
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  const file = join(values.to, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
