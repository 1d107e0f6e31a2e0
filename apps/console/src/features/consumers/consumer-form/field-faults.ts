import { ProblemError } from '../../../api';

/**
 * The api's faults by the field that shows them: `achCompanyIds[2]` stands at `achCompanyIds`, `credentials.username`
 * at its own. What is at no field is shown by ProblemAlert.
 */
export function fieldFaults(error: unknown): Record<string, string> {
  if (!(error instanceof ProblemError)) return {};
  const faults: Record<string, string> = {};
  for (const { field, message } of error.errors) faults[field.replace(/\[\d+\].*$/, '')] ??= message;
  return faults;
}
