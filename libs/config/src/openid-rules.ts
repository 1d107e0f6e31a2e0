import { PERSON_ROLES, type PersonRole } from '#libs/contracts';
import { ValidatorConstraint, type ValidatorConstraintInterface } from 'class-validator';

/** An address that secrets can be sent to: https, or http on this machine. */
@ValidatorConstraint({ name: 'httpsOrLoopback' })
export class HttpsOrLoopback implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    if (typeof value !== 'string' || /[\s?#]/.test(value) || !URL.canParse(value)) return false;
    const url = new URL(value);
    if (url.username !== '' || url.password !== '') return false;
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  }
  defaultMessage(): string {
    return 'must be an https:// URL without user, query and fragment; http:// is for localhost only';
  }
}

@ValidatorConstraint({ name: 'roleMap' })
export class RoleMap implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    if (!Array.isArray(value) || value.length === 0) return false;
    const entries = value.map((item) => (typeof item === 'string' ? roleMapEntry(item) : null));
    return !entries.includes(null) && new Set(entries.map((entry) => entry?.[0])).size === entries.length;
  }
  defaultMessage(): string {
    return `must be a comma list of value:role, no value twice, each role one of ${PERSON_ROLES.join(', ')}`;
  }
}

/** Parses `value:role`; the value can contain colons. @returns null for other texts and for roles not for people */
export function roleMapEntry(item: string): [value: string, role: PersonRole] | null {
  const at = item.lastIndexOf(':');
  const role = PERSON_ROLES.find((one) => one === item.slice(at + 1).trim());
  const value = item.slice(0, Math.max(at, 0)).trim();
  return role === undefined || value === '' ? null : [value, role];
}

/** Whether a URL's host is this machine, for which http is permitted; `hostname` as in `URL`. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
