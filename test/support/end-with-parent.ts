import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Each script waits for the end of its input, which comes when this process ends for any reason. */
const END_PROCESS = 'read -r _; kill -s "$1" "$2" 2>/dev/null';
const REMOVE_FOLDER =
  'read -r _; n=0; while [ -e "$1" ] && [ $n -lt 50 ]; do rm -rf "$1" 2>/dev/null; n=$((n+1)); sleep 0.2; done';
const UNMOUNT = 'read -r _; umount --lazy "$1" 2>/dev/null';

/** Sends `signal` to a process when this one ends, even by SIGKILL. @returns a function that cancels it */
export function endWithUs(pid: number, signal: 'QUIT' | 'KILL'): () => void {
  return leash(END_PROCESS, [signal, String(pid)]);
}

/** Removes a folder when this process ends. @returns a function that cancels it */
export function removeWithUs(folder: string): () => void {
  return leash(REMOVE_FOLDER, [folder]);
}

/** Unmounts a folder when this process ends. @returns a function that cancels it */
export function unmountWithUs(folder: string): () => void {
  return leash(UNMOUNT, [folder]);
}

function leash(script: string, args: string[]): () => void {
  const keeper = spawn('sh', ['-c', script, 'leash', ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.on('error', () => undefined);
  keeper.unref();
  if (keeper.stdin instanceof Socket) keeper.stdin.unref();
  return () => void keeper.kill('SIGKILL');
}
