import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** By the client's address, how many messages have come over each connection. */
export type Messages = ReadonlyMap<string, number>;

const CONNECTION = /^\d+ +\d+ +\S+ +(\S+) .*\bdata_segs_in:(\d+)/gm;

/**
 * What the connections to a port of this machine have carried to the server since each was opened: TCP segments with
 * data, as the kernel counts them. Reading them costs the server nothing. What a client sends at once counts once:
 * several statements in one message, a script whatever commands it runs. Linux only, with `ss` of iproute2.
 */
export async function messagesTo(port: number): Promise<Messages> {
  const args = ['--no-header', '--oneline', '--tcp', '--info', '--numeric', 'state', 'established'];
  const { stdout } = await promisify(execFile)('ss', [...args, 'sport', '=', `:${String(port)}`]);
  const found = new Map<string, number>();
  for (const [, client = '', count] of stdout.matchAll(CONNECTION)) found.set(client, Number(count));
  return found;
}

/** How many came in between. A connection that was closed meanwhile is missing: pools close those that were idle. */
export function messagesBetween(before: Messages, after: Messages): number {
  let sum = 0;
  for (const [client, count] of after) sum += count - (before.get(client) ?? 0);
  return sum;
}
