/** What ends the things that the current test file has started. This module outlives a test file. */
const cleanups: (() => unknown)[] = [];

/** Runs `cleanup` after the last test of the current file, also when the file's own `afterAll` fails. */
export function afterFile(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Runs all clean-ups at once; test/support/setup-file.ts calls it after each file. */
export async function cleanUpAfterFile(): Promise<void> {
  await Promise.all(cleanups.splice(0).map(async (cleanup) => cleanup()));
}
