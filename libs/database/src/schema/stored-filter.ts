import { checkPlain, DeliveryFilter } from '#libs/contracts';

/** A filter of deliveries as JSON, in which instants are text in UTC. */
export type StoredFilter = { [Field in keyof DeliveryFilter]: StoredField<DeliveryFilter[Field]> };
type StoredField<T> = T extends Date ? string : T;

/** Reads a stored filter. @throws Error for one that the present rules do not accept */
export function filterOf(stored: StoredFilter): DeliveryFilter {
  const checked = checkPlain(DeliveryFilter, stored);
  if (checked.ok) return checked.value;
  const faults = checked.faults.map(({ field, message }) => `${field} ${message}`);
  throw new Error(`The stored filter is not valid: ${faults.join(', ')}.`);
}
