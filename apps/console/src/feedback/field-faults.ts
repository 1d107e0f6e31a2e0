import { ProblemError } from '../api';

/**
 * The api's faults by the form field that shows them: `achCompanyIds[2]` at `achCompanyIds`, `credentials.username` at
 * `username`. ProblemAlert shows all of them.
 */
export function fieldFaults(error: unknown): Record<string, string> {
  if (!(error instanceof ProblemError)) return {};
  const faults: Record<string, string> = {};
  for (const { field, message } of error.errors)
    faults[field.replace(/^credentials\.|\[\d+\].*$/g, '')] ??= message;
  return faults;
}
