import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { parseArgs, promisify } from 'node:util';
import { Figures } from '#test/bench/pipeline/figures';
import { measureAccept } from '#test/bench/pipeline/measures-accept';
import {
  measureDrain,
  measureIdle,
  measureLatency,
  measureSustained,
} from '#test/bench/pipeline/measures-flow';
import { measureLimits } from '#test/bench/pipeline/measures-limits';
import { Rig } from '#test/bench/pipeline/rig';
import { usageOf } from '#test/bench/pipeline/usage';

/**
 * How fast the whole pipeline is, beside what its parts could do alone, in the same run on the same machine:
 * `npm run bench -- --quick --json FILE` in three minutes, `npm run bench` in full, which writes docs/benchmarks.md.
 */
const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
});
const plan = values.quick
  ? { limitS: 4, acceptS: 5, sustainedS: 10, latencyS: 6, shares: [0.5], idle: 50, backlog: 30_000 }
  : {
      limitS: 15,
      acceptS: 20,
      sustainedS: 60,
      latencyS: 20,
      shares: [0.1, 0.5, 0.8],
      idle: 200,
      backlog: 100_000,
    };

const figures = new Figures();
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
  await measureLatency(rig, one, limits, plan.shares, plan.latencyS);
  await measureIdle(rig, one, plan.idle);
} finally {
  await rig.close();
}

const { stdout } = await promisify(execFile)('git', ['rev-parse', '--short', 'HEAD']);
const machine = `${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, ${String(Math.round(totalmem() / 2 ** 30))} GiB, Node ${process.version}`;
if (values.json !== undefined)
  await writeFile(
    values.json,
    `${JSON.stringify({ commit: stdout.trim(), machine, figures: figures.all }, null, 2)}\n`,
  );
