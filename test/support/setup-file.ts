/** Runs before every test file, as it does before everything in the product's processes. */
import 'reflect-metadata';
import { afterAll, beforeEach, onTestFailed } from 'vitest';
import { cleanUpAfterFile } from '#test/support/after-file';
import { printFailureReport } from '#test/support/failure-report';

beforeEach(() => {
  onTestFailed(printFailureReport);
});
afterAll(cleanUpAfterFile);
