/** What the log of a failed test shows in addition to its error. */
const sources = new Set<() => Promise<string>>();

/** Adds a text to the log of each test that fails until the returned function is called. */
export function addToFailureReport(source: () => Promise<string>): () => void {
  sources.add(source);
  return () => sources.delete(source);
}

/** The texts of all sources; test/support/setup-file.ts adds them to the error of a test that failed. */
export async function failureReport(): Promise<string> {
  const texts = await Promise.all([...sources].map((source) => source()));
  return texts.map((text) => `\n\n${text}`).join('');
}
