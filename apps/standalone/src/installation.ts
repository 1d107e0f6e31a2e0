import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { canReach, type Account } from './postgres/account.js';
import { writeWhole } from './write-whole.js';

/** What stand-alone makes once and keeps beside its data; readable by its owner only. */
export interface Secrets {
  readonly postgresPassword: string;
  readonly keyring: string;
  readonly adminApiKey: string;
}

/**
 * Where stand-alone's files lie. A folder that PostgreSQL's account cannot reach (root's home) is replaced by
 * one under /var/lib that is the same at every start.
 */
export function dataFolder(wanted: string, account: Account | undefined): string {
  const folder = resolve(wanted);
  if (canReach(account, folder)) return folder;
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  return join('/var/lib/payment-notification-dispatcher', name);
}

/** Reads the installation's secrets, or makes them. `isNew` tells that they must be shown now or never. */
export function secretsOf(folder: string): { secrets: Secrets; isNew: boolean } {
  const file = join(folder, 'secrets.json');
  if (existsSync(file)) {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isSecrets(stored)) return { secrets: stored, isNew: false };
    throw new Error(`${file} is damaged; restore it, since what is encrypted with it is lost without it`);
  }
  const secrets = {
    postgresPassword: randomBytes(24).toString('base64url'),
    keyring: `k1:${randomBytes(32).toString('base64')}`,
    adminApiKey: `pnd_${randomBytes(32).toString('base64url')}`,
  };
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  writeWhole(file, `${JSON.stringify(secrets, null, 2)}\n`);
  return { secrets, isNew: true };
}

function isSecrets(value: unknown): value is Secrets {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['postgresPassword', 'keyring', 'adminApiKey'].every(
      (name) => name in value && typeof Reflect.get(value, name) === 'string',
    )
  );
}
