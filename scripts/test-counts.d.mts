export interface RunResult {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
export function countTests(runs: readonly RunResult[]): TestCounts;
export function plainLine(counts: TestCounts): string;
