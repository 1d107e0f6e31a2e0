import { readFile } from 'node:fs/promises';
import { processes } from '#test/bench/pipeline/usage';

/** Processor time used so far, in ticks. */
interface Used {
  readonly byEverybody: number;
  readonly byUs: number;
  readonly possible: number;
}

/**
 * How busy the processors are, and with what: this process and all that descend from it, or others on the same
 * machine. A figure measured while others were busy tells of them. Linux only; elsewhere it knows nothing.
 */
export class Processors {
  private last: Used | undefined;

  /** Percent of all processors, since the last call: ours, and that of others. */
  async since(): Promise<{ ours: number; others: number }> {
    const now = await used().catch(() => undefined);
    const before = this.last;
    this.last = now;
    if (now === undefined || before === undefined) return { ours: Number.NaN, others: Number.NaN };
    const possible = now.possible - before.possible;
    const ours = now.byUs - before.byUs;
    const others = Math.max(0, now.byEverybody - before.byEverybody - ours);
    return { ours: Math.round((100 * ours) / possible), others: Math.round((100 * others) / possible) };
  }
}

async function used(): Promise<Used> {
  const [total = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const ticks = total.split(/\s+/).slice(1, 9).map(Number);
  const possible = ticks.reduce((sum, value) => sum + value, 0);
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  const seen = await processes();
  const isOurs = (pid: number): boolean => {
    for (let at = pid; at > 1; at = seen.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  let byUs = 0;
  for (const [pid, { ticks: own }] of seen) if (isOurs(pid)) byUs += own;
  return { possible, byEverybody: possible - idle, byUs };
}
