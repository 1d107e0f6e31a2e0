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
  for (const member of family) {
    const { ticks: own = 0, ticksOfDeadChildren = 0 } = all.get(member) ?? {};
    ticks += own + ticksOfDeadChildren;
  }
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  const residentKiB = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  return { cpuSeconds: ticks / TICKS, residentMiB: residentKiB / 1_024 };
}

/** A process as /proc shows it. */
export interface SeenProcess {
  readonly parent: number;
  readonly ticks: number;
  readonly ticksOfDeadChildren: number;
}

/** Every process of the machine, by its id. Linux only. */
export async function processes(): Promise<Map<number, SeenProcess>> {
  const found = new Map<number, SeenProcess>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    if (stat === '') continue;
    // After the name, which may hold anything: state, parent, …, utime, stime, cutime, cstime (proc(5)).
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (place: number): number => fields[place] ?? 0;
    found.set(Number(entry), {
      parent: at(1),
      ticks: at(11) + at(12),
      ticksOfDeadChildren: at(13) + at(14),
    });
  }
  return found;
}
