import { readdir, readFile } from 'node:fs/promises';

/** The kernel's clock ticks a second, which Linux fixes for its users. */
const TICKS = 100;

/** What a process and all that descend from it have used. */
export interface Usage {
  readonly cpuSeconds: number;
  /** Resident now, of that process alone. */
  readonly residentMiB: number;
}

/** Reads it from /proc, dead children included. */
export async function usageOf(pid: number): Promise<Usage> {
  const all = await processes();
  const family = new Set([pid]);
  for (let grown = true; grown;) {
    grown = false;
    for (const [child, { parent }] of all) {
      if (family.has(parent) && !family.has(child)) {
        family.add(child);
        grown = true;
      }
    }
  }
  let ticks = 0;
  for (const member of family) ticks += all.get(member)?.ticks ?? 0;
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  const residentKiB = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  return { cpuSeconds: ticks / TICKS, residentMiB: residentKiB / 1_024 };
}

async function processes(): Promise<Map<number, { parent: number; ticks: number }>> {
  const found = new Map<number, { parent: number; ticks: number }>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    if (stat === '') continue;
    // After the name, which may hold anything: state, parent, …, utime, stime, cutime, cstime (proc(5)).
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + (fields[at] ?? 0), 0);
    found.set(Number(entry), { parent: fields[1] ?? 0, ticks });
  }
  return found;
}
