import { PERSON_ROLES, type PersonRole } from '#libs/contracts';

/**
 * Returns the strongest role that `roleMap` assigns to a value of the claim; null if there is none. The claim is a
 * string or a list of strings; any other value grants no role.
 */
export function grantedRole(claim: unknown, roleMap: ReadonlyMap<string, PersonRole>): PersonRole | null {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const granted = values.map((value) => (typeof value === 'string' ? roleMap.get(value) : undefined));
  return PERSON_ROLES.findLast((role) => granted.includes(role)) ?? null;
}
