/** What the line is made of; a part of jest's own results. */
export interface RunResults {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: readonly {
    numFailingTests: number;
    failureMessage?: string | null;
    testExecError?: unknown;
  }[];
}

export function plainLine(results: RunResults): string;

export default class PlainLineReporter {
  onRunComplete(contexts: unknown, results: RunResults): void;
}
