import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { canReach, type Account } from './postgres/account.js';
import { writeWhole } from './write-whole.js';

/** Secrets that stand-alone creates once and keeps in its data folder; only the owner can read the file. */
export interface Secrets {
  readonly postgresPassword: string;
  readonly keyring: string;
  readonly adminApiKey: string;
}

/**
 * Returns the folder of stand-alone's files. If PostgreSQL's account cannot reach the wanted one, for example in
 * root's home, it is a folder in /var/lib, the same at every start.
 */
export function dataFolder(wanted: string, account: Account | undefined): string {
  const folder = resolve(wanted);
  if (canReach(account, folder)) return folder;
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  return join('/var/lib/payment-notification-dispatcher', name);
}

/**
 * Reads the secrets of the installation, or creates them. With `isNew` the admin API key has to be shown now.
 * @throws when the file cannot be parsed: new secrets could not decrypt what the old ones encrypted
 */
export function secretsOf(folder: string): { secrets: Secrets; isNew: boolean } {
  const file = join(folder, 'secrets.json');
  if (existsSync(file)) {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isSecrets(stored)) return { secrets: stored, isNew: false };
    throw new Error(
      `${file} is damaged; restore it: without its keys nothing that they encrypted can be decrypted`,
    );
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
