import { constants } from 'node:os';
import { ConfigurationError } from './read-config.js';
import { startAdvice } from './start-advice.js';

/** Supervisors kill what has not ended 30 s after SIGTERM, and then nobody says why. */
const STOP_WITHIN_MS = 25_000;

type Stop = () => Promise<void>;

/**
 * Runs a process from its start to its end. `start` answers how to stop, which SIGTERM and SIGINT then do, once
 * however many come: exit status 0 when it stopped cleanly. Before it has started they end it at once, with the status that
 * a shell reports for them; PID 1 of a container would ignore them. A fault ends the process with status 1 and says why: a
 * faulty configuration in its own words, a stop that takes longer than `stopWithinMs` in one line, what an operator
 * can mend with advice, anything else with its stack.
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
    // It keeps the process alive on purpose: a stop that waits for nothing at all must not look like a clean end.
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

/** A host with several addresses that are all refused has one error for each, and none of its own. */
const messageOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map(String).join(', ') : error.message;
