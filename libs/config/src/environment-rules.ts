import { PERSON_ROLES, type PersonRole } from '#libs/contracts';
import { isIP } from 'node:net';
import { RedisUrlError, redisServers } from './redis-servers.js';

/** The broken rule of a variable, without the value, which can be a secret. */
export class Fault {
  constructor(readonly rule: string) {}
}

/** An environment variable. */
export interface Variable<T> {
  /** The value of a text that is not empty. */
  readonly read: (text: string) => T | Fault;
  /** The value of an unset variable. */
  readonly unset: T;
}

export const text = <U extends string | undefined>(
  unset: U,
  rule: string,
  pattern: RegExp,
): Variable<string | U> => ({ unset, read: (given) => (pattern.test(given) ? given : new Fault(rule)) });

export const choice = <T extends string, U extends T | undefined>(
  unset: U,
  list: readonly T[],
): Variable<T | U> => ({
  unset,
  read: (given) => list.find((one) => one === given) ?? new Fault(`must be one of ${list.join(', ')}`),
});

export const whole = (unset: number, min: number, max: number): Variable<number> => ({
  unset,
  read: (given) =>
    /^-?\d+$/.test(given) && Number(given) >= min && Number(given) <= max
      ? Number(given)
      : new Fault(`must be a whole number from ${String(min)} to ${String(max)}`),
});

export const truth: Variable<boolean> = {
  unset: false,
  read: (given) => (given === 'true' ? true : given === 'false' ? false : new Fault('must be true or false')),
};

const itemsOf = (given: string): string[] =>
  given
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** A comma list. */
export const list = (rule: string, isItem: (item: string) => boolean): Variable<readonly string[]> => ({
  unset: [],
  read: (given) => {
    const items = itemsOf(given);
    return items.every(isItem) ? items : new Fault(rule);
  },
});

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

export const isNetworkOrHost = (item: string): boolean =>
  isNetwork(item) || (!item.includes('/') && HOST_NAME.test(item));

export function isNetwork(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  if (prefix === undefined) return isIP(item) !== 0;
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}

export const redisUrl: Variable<string | undefined> = {
  unset: undefined,
  read: (given) => {
    try {
      redisServers(given);
      return given;
    } catch (error) {
      if (error instanceof RedisUrlError) return new Fault(error.message);
      throw error;
    }
  },
};

/** An address that secrets can be sent to: https, or http on this machine. */
export const safeUrl: Variable<string | undefined> = {
  unset: undefined,
  read: (given) => {
    const url = /[\s?#]/.test(given) ? null : URL.parse(given);
    return url !== null &&
      url.username === '' &&
      url.password === '' &&
      (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname)))
      ? given
      : new Fault('must be an https:// URL without user, query and fragment; http:// is for localhost only');
  },
};

export const signInUrl: Variable<string | undefined> = {
  unset: undefined,
  read: (given) =>
    /^\w+:\/\/[^/]+\/sign-in\/openid$/.test(given)
      ? safeUrl.read(given)
      : new Fault('must be the console’s address followed by /sign-in/openid'),
};

/** Whether a URL's host is this machine, for which http is permitted; `hostname` as in `URL`. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

/** Roles by value: a comma list of `value:role`, in which a value can contain colons. */
export const roleMap: Variable<ReadonlyMap<string, PersonRole> | undefined> = {
  unset: undefined,
  read: (given) => {
    const items = itemsOf(given);
    const roles = new Map<string, PersonRole>();
    for (const item of items) {
      const at = Math.max(item.lastIndexOf(':'), 0);
      const role = PERSON_ROLES.find((one) => one === item.slice(at + 1).trim());
      const value = item.slice(0, at).trim();
      if (role !== undefined && value !== '') roles.set(value, role);
    }
    return items.length > 0 && roles.size === items.length
      ? roles
      : new Fault(
          `must be a comma list of value:role, no value twice, each role one of ${PERSON_ROLES.join(', ')}`,
        );
  },
};
