import { ConfigurationError } from './read-config.js';

/**
 * Runs a process's main function. A fault at the start ends the process with status 1 and says why: a faulty
 * configuration in its own words, anything else with its stack.
 */
export function runProcess(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const isPlain = error instanceof ConfigurationError || !(error instanceof Error);
    process.stderr.write(
      `${isPlain ? String(error instanceof Error ? error.message : error) : (error.stack ?? '')}\n`,
    );
    process.exit(1);
  });
}
