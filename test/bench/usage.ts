import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks a second in /proc, a constant of Linux. */
const TICKS = 100;

/** Processor time in seconds that a process, its descendants and its ended children have used so far. Linux only. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const all = new Map<number, { readonly parent: number; readonly ticks: number }>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // After the name in parentheses: state, parent, …, then utime, stime, cutime, cstime (proc(5)).
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    all.set(Number(entry), { parent: fields[1] ?? 0, ticks });
  }
  const isFamily = (member: number): boolean =>
    member === pid || (member > 1 && isFamily(all.get(member)?.parent ?? 0));
  let sum = 0;
  for (const [member, { ticks }] of all) if (isFamily(member)) sum += ticks;
  return sum / TICKS;
}

/** Resident memory of a process now, without its children, in MiB. Linux only. */
export async function residentMiBOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024;
}

/** Process ids by the name under which their processor time is counted. */
export type ProcessGroups = Readonly<Record<string, readonly number[]>>;

/** Processor time in seconds that each group has used so far. */
export async function cpuSecondsBy(groups: ProcessGroups): Promise<Record<string, number>> {
  const used: Record<string, number> = {};
  for (const [name, pids] of Object.entries(groups)) {
    used[name] = 0;
    for (const pid of pids) used[name] += await cpuSecondsOf(pid);
  }
  return used;
}
