import { readFileSync } from 'node:fs';
import type { Environment } from './environment.js';

/** What holds a secret, or may: each can be given as `<NAME>_FILE`, the path of a file such as Docker and Kubernetes mount. */
export const SECRET_NAMES = [
  'ADMIN_API_KEY',
  'SECRETS_KEYRING',
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'REDIS_URL',
  'OIDC_CLIENT_SECRET',
] as const satisfies readonly (keyof Environment)[];

/** An editor's or `echo`'s line end is no part of a secret. */
const LINE_ENDS = /(\r?\n)+$/;

/**
 * Reads the files that are named. Faults have the variable, the path and what to do, never what is in the file.
 * @param given what is set, without empty values
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
      faults.push(`${name} cannot be read from ${path} (${name}_FILE): ${whyUnreadable(error)}`);
    }
  }
  return { secrets, faults };
}

const EMPTY = 'the file is empty; write the secret into it';

function whyUnreadable(error: unknown): string {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'nothing';
  switch (code) {
    case 'ENOENT':
      return 'there is no such file; mount the secret there, or correct the path';
    case 'EACCES':
      return `user ${String(process.geteuid?.() ?? 'of this process')} may not read it; change its owner or mode`;
    case 'EISDIR':
      return 'it is a folder; name the file in it';
    default:
      return `the system says ${code}; mount the secret there, or correct the path`;
  }
}
