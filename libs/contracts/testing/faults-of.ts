import { checkPlain } from '../src/check-plain.js';
import { StatusChangeDto } from '../src/status-change/status-change.dto.js';

/** All faults of a value as a status change, as `path: message`; for tests. */
export function faultsOf(raw: unknown): string[] {
  const checked = checkPlain(StatusChangeDto, raw);
  return checked.ok ? [] : checked.faults.map(({ field, message }) => `${field}: ${message}`);
}

/** A status change that is known to be valid, checked; for tests. */
export function checkedChange(raw: unknown): StatusChangeDto {
  const checked = checkPlain(StatusChangeDto, raw);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.value;
}
