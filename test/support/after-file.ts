/** What the current test file has started and not ended. Modules of test support live as long as their process. */
const cleanups: (() => unknown)[] = [];

/** Has `cleanup` run after the last test of the current file, also when the file's own `afterAll` fails. */
export function afterFile(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Runs all of them at once; test/support/setup-file.ts calls it after each file. */
export async function cleanUpAfterFile(): Promise<void> {
  await Promise.all(cleanups.splice(0).map(async (cleanup) => cleanup()));
}
