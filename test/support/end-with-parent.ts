import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Each script waits for the end of its input, which comes when this process ends for any reason. */
const END_PROCESS = 'read -r _; kill -s "$1" "$2" 2>/dev/null';
const REMOVE_FOLDER =
  'read -r _; n=0; while [ -e "$1" ] && [ $n -lt 50 ]; do rm -rf "$1" 2>/dev/null; n=$((n+1)); sleep 0.2; done';
const UNMOUNT = 'read -r _; umount --lazy "$1" 2>/dev/null';

/** Sends `signal` to a process when this one ends, even by SIGKILL. @returns a function that cancels it */
export function endWithParent(pid: number, signal: 'QUIT' | 'KILL'): () => void {
  return runAtParentExit(END_PROCESS, [signal, String(pid)]);
}

/** Removes a folder when this process ends. @returns a function that cancels it */
export function removeWithParent(folder: string): () => void {
  return runAtParentExit(REMOVE_FOLDER, [folder]);
}

/** Unmounts a folder when this process ends. @returns a function that cancels it */
export function unmountWithParent(folder: string): () => void {
  return runAtParentExit(UNMOUNT, [folder]);
}

function runAtParentExit(script: string, args: string[]): () => void {
  const keeper = spawn('sh', ['-c', script, 'at-parent-exit', ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.on('error', () => undefined);
  keeper.unref();
  if (keeper.stdin instanceof Socket) keeper.stdin.unref();
  return () => void keeper.kill('SIGKILL');
}
