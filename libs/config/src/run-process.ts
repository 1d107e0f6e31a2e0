import { ConfigurationError } from './read-config.js';

/** Supervisors kill what has not ended 30 s after SIGTERM, and then nobody says why. */
const STOP_WITHIN_MS = 25_000;

type Stop = () => Promise<void>;

/**
 * Runs a process from its start to its end. `start` answers how to stop, which SIGTERM and SIGINT then do, once
 * however many come: exit status 0 when it stopped cleanly. A fault ends the process with status 1 and says why: a
 * faulty configuration in its own words, a stop that takes longer than `stopWithinMs` in one line, anything else
 * with its stack.
 */
export function runProcess(
  start: () => Promise<Stop | void>,
  { stopWithinMs = STOP_WITHIN_MS }: { readonly stopWithinMs?: number } = {},
): void {
  run(start, stopWithinMs).catch(fail);
}

async function run(start: () => Promise<Stop | void>, stopWithinMs: number): Promise<void> {
  const stop = await start();
  if (stop === undefined) return;
  let isStopping = false;
  const end = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    // It keeps the process alive on purpose: a stop that waits for nothing at all must not look like a clean end.
    setTimeout(() => fail(`not stopped ${String(stopWithinMs)} ms after ${signal}: giving up`), stopWithinMs);
    exitAfter(stop).catch(fail);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

async function exitAfter(stop: Stop): Promise<never> {
  await stop();
  process.exit(0);
}

function fail(error: unknown): never {
  const isPlain = error instanceof ConfigurationError || !(error instanceof Error);
  process.stderr.write(
    `${isPlain ? String(error instanceof Error ? error.message : error) : (error.stack ?? '')}\n`,
  );
  process.exit(1);
}
