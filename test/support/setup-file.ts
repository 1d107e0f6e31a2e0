/** Runs before every test file, as it does before everything in the product's processes. */
import 'reflect-metadata';
import { afterAll, beforeEach, onTestFailed } from 'vitest';
import { cleanUpAfterFile } from '#test/support/after-file';
import { failureReport } from '#test/support/failure-report';

beforeEach(() => {
  // In the message, since the summary at the end of a log repeats it: of a long log often only the end is kept.
  onTestFailed(async ({ task }) => {
    const report = await failureReport();
    for (const error of task.result?.errors ?? []) error.message += report;
  });
});
afterAll(cleanUpAfterFile);
