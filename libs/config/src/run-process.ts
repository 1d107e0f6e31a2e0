import { ConfigurationError } from './read-config.js';

/**
 * Runs a process from its start to its end. `start` answers how to stop, which SIGTERM and SIGINT then do: exit
 * status 0 when it stopped cleanly. A fault ends the process with status 1 and says why: a faulty configuration
 * in its own words, anything else with its stack.
 */
export function runProcess(start: () => Promise<(() => Promise<void>) | void>): void {
  run(start).catch(fail);
}

async function run(start: () => Promise<(() => Promise<void>) | void>): Promise<void> {
  const stop = await start();
  if (stop === undefined) return;
  const end = (): void => void exitAfter(stop).catch(fail);
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

async function exitAfter(stop: () => Promise<void>): Promise<never> {
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
