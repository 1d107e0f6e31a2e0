/** What the log of a failed test shows in addition to its error. */
const sources = new Set<() => Promise<string>>();

/** Adds a text to the log of each test that fails until the returned function is called. */
export function addToFailureReport(source: () => Promise<string>): () => void {
  sources.add(source);
  return () => sources.delete(source);
}

/** Prints the texts of all sources; test/support/setup-file.ts calls it after a test that failed. */
export async function printFailureReport(): Promise<void> {
  for (const source of sources) process.stderr.write(`${await source()}\n`);
}
