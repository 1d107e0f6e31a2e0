/**
 * Adds up the counts of several test runners. All write Jest's JSON format. A file that failed without a failed test (it
 * could not be loaded, or a hook failed) counts as one failure.
 * @param {readonly { numPassedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: readonly { status: string, assertionResults: readonly { status: string }[] }[] }[]} runs
 */
export function countTests(runs) {
  const sum = (count) => runs.reduce((total, run) => total + count(run), 0);
  const failedIn = ({ status, assertionResults }) =>
    assertionResults.filter((test) => test.status === 'failed').length || Number(status === 'failed');
  return {
    passed: sum((run) => run.numPassedTests),
    failed: sum((run) => run.testResults.reduce((total, file) => total + failedIn(file), 0)),
    skipped: sum((run) => run.numPendingTests + run.numTodoTests),
  };
}

/** The last line of a run, for other tools: `12 passed, 0 failed`, and the number of skipped tests, if any. */
export const plainLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
