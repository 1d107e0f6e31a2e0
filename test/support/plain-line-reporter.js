/**
 * A jest reporter that ends the whole output with one plain line for any tool to read. A file that could not run, or
 * that failed outside its tests, counts as one failed. Written at the exit, because jest's own summary comes after
 * every `onRunComplete`.
 */
export default class PlainLineReporter {
  onRunComplete(_contexts, results) {
    process.once('exit', () => process.stdout.write(`${plainLine(results)}\n`));
  }
}

export function plainLine({ numPassedTests, numPendingTests, numTodoTests, testResults }) {
  const failed = testResults
    .map((file) => Math.max(file.numFailingTests, file.failureMessage || file.testExecError ? 1 : 0))
    .reduce((sum, count) => sum + count, 0);
  const pending = numPendingTests + numTodoTests;
  return `${numPassedTests} passed, ${failed} failed${pending > 0 ? `, ${pending} skipped` : ''}`;
}
