import { PERSON_ROLES, type PersonRole } from '#libs/contracts';

/**
 * The strongest of the roles that a claim's values are mapped to; null when none is mapped. The claim is a list
 * of texts, or one text; any other value grants no role.
 */
export function grantedRole(claim: unknown, roleMap: ReadonlyMap<string, PersonRole>): PersonRole | null {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const granted = values.map((value) => (typeof value === 'string' ? roleMap.get(value) : undefined));
  return PERSON_ROLES.findLast((role) => granted.includes(role)) ?? null;
}
