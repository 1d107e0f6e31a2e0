import { constants } from 'node:os';
import { ConfigurationError } from './read-config.js';
import { startAdvice } from './start-advice.js';

/** Maximum duration of a stop: supervisors kill 30 s after SIGTERM, and the log must show the reason before. */
const STOP_WITHIN_MS = 25_000;

type Stop = () => Promise<void>;

/**
 * Runs a process from its start to its end. `start` returns a function that stops it. SIGTERM and SIGINT call that
 * function once; after a clean stop the exit status is 0. Before the start is complete they end the process at once
 * with the status that a shell reports for them; without a handler, PID 1 of a container ignores them. A fault ends
 * the process with status 1 and prints its reason: the message of a configuration fault, one line for a stop longer
 * than `stopWithinMs`, message and advice for a fault that an operator can repair, and the stack for others.
 */
export function runProcess(
  start: () => Promise<Stop | void>,
  { stopWithinMs = STOP_WITHIN_MS }: { readonly stopWithinMs?: number } = {},
): void {
  run(start, stopWithinMs).catch(fail);
}

async function run(start: () => Promise<Stop | void>, stopWithinMs: number): Promise<void> {
  let stop: Stop | undefined;
  let isStopping = false;
  const end = (signal: NodeJS.Signals): void => {
    if (stop === undefined) process.exit(128 + constants.signals[signal]);
    if (isStopping) return;
    isStopping = true;
    // The timer keeps the process alive: a stop that hangs without open handles must not look clean.
    setTimeout(() => fail(`not stopped ${String(stopWithinMs)} ms after ${signal}: giving up`), stopWithinMs);
    exitAfter(stop).catch(fail);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  stop = (await start()) ?? undefined;
}

async function exitAfter(stop: Stop): Promise<never> {
  await stop();
  process.exit(0);
}

function fail(error: unknown): never {
  process.stderr.write(`${inWords(error)}\n`);
  process.exit(1);
}

function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigurationError) return error.message;
  const advice = startAdvice(error);
  return advice === undefined ? (error.stack ?? '') : `${messageOf(error)}\n${advice}`;
}

/** When all addresses of a host fail, there is one error for each, and the outer one has no message. */
const messageOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map(String).join(', ') : error.message;
