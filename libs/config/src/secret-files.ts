import { readFileSync } from 'node:fs';
import type { Environment } from './environment.js';

/** Variables that can hold a secret. Each can be given as `<NAME>_FILE`, the path of a file that Docker or Kubernetes mounts. */
export const SECRET_NAMES = [
  'ADMIN_API_KEY',
  'SECRETS_KEYRING',
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'REDIS_URL',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
] as const satisfies readonly (keyof Environment)[];

/** A trailing line break of an editor or `echo` is not part of a secret. */
const LINE_ENDS = /(\r?\n)+$/;

/**
 * Reads the named files. Faults name the variable, the path and the remedy, never the content.
 * @param given the environment without empty values
 */
export function readSecretFiles(given: Readonly<Record<string, string>>): {
  readonly secrets: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
} {
  const secrets: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of SECRET_NAMES) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      faults.push(`${name} is given twice: remove either ${name} or ${name}_FILE`);
      continue;
    }
    try {
      const secret = readFileSync(path, 'utf8').replace(LINE_ENDS, '');
      if (secret === '') faults.push(`${name} cannot be read from ${path} (${name}_FILE): ${EMPTY}`);
      else secrets[name] = secret;
    } catch (error) {
      faults.push(`${name} cannot be read from ${path} (${name}_FILE): ${whyUnreadable(error, 'secret')}`);
    }
  }
  return { secrets, faults };
}

const EMPTY = 'the file is empty; write the secret into it';

/** Why the system cannot read a file, and the remedy; `what` is in it. */
export function whyUnreadable(error: unknown, what: 'secret' | 'file'): string {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'an unknown error';
  switch (code) {
    case 'ENOENT':
      return `the file does not exist; mount the ${what} there, or correct the path`;
    case 'EACCES':
      return `user ${String(process.geteuid?.() ?? 'of this process')} is not permitted to read it; change its owner or mode`;
    case 'EISDIR':
      return 'it is a folder; name the file in it';
    default:
      return `the system reports ${code}; mount the ${what} there, or correct the path`;
  }
}
