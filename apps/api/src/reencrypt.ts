import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { ConfigurationError, processEnvironment, readConfig, runProcess } from '#libs/config';
import { checkSchema, openDatabase } from '#libs/database';
import { createChannelVault, createVault, parseKeyring, type Keyring } from '#libs/vault';
import { reencryptChannels } from './resources/channels/reencrypt-channels.js';
import { keysInUse, reencryptCredentials } from './resources/consumers/credentials/reencrypt-credentials.js';

const PROGRESS_EVERY = 500;

/**
 * `npm run reencrypt`: encrypts the credentials of every consumer and the secrets of every channel with the newest key of SECRETS_KEYRING. It needs a
 * worker's environment. `-- --dry-run` reports what it would do and which keys are in use. After an interruption, run
 * it again. The exit status is 1 if a version remains that is encrypted with another key or cannot be decrypted.
 */
async function main(): Promise<void> {
  const dryRun = parseArgs({ options: { 'dry-run': { type: 'boolean' } } }).values['dry-run'] === true;
  const config = readConfig('worker', processEnvironment());
  const parsed = parseKeyring(config.keyring);
  if (!parsed.ok) throw new ConfigurationError(parsed.faults.map((fault) => `SECRETS_KEYRING ${fault}`));
  const { keyring } = parsed;
  const { kid: newest } = keyring.newest;
  const vault = createVault(keyring);
  const db = openDatabase({ url: config.database.url, poolSize: 1 });
  try {
    await checkSchema(db);
    say(`the keyring has ${[...keyring.keys.keys()].join(', ')}; ${newest} is the newest`);
    const ofConsumers = await reencryptCredentials(db, vault, {
      dryRun,
      onDone: (count) => {
        if (count % PROGRESS_EVERY === 0) say(`${versions(count)} done so far`);
      },
    });
    const ofChannels = await reencryptChannels(db, createChannelVault(keyring), { dryRun });
    const done = ofConsumers.done + ofChannels.done;
    const unreadable = [...ofConsumers.unreadable, ...ofChannels.unreadable];
    const counts = await keysInUse(db, vault);
    const left = leftIn(counts, newest);
    say(
      dryRun
        ? `to re-encrypt: ${versions(done)}`
        : `re-encrypted: ${versions(done)}; left: ${versions(left)}`,
    );
    sayWhatIsInUse(keyring, counts);
    for (const { advice } of unreadable) say(`cannot be opened: ${advice}`);
    if (dryRun) return;
    if (left > unreadable.filter(({ kid }) => kid !== newest).length) {
      say(
        `an older key has sealed new versions meanwhile: put ${newest} in front on every process, then run this again`,
      );
    }
    if (left > 0 || unreadable.length > 0) process.exitCode = 1;
  } finally {
    await db.destroy();
  }
}

function leftIn(counts: ReadonlyMap<string | null, number>, newest: string): number {
  return [...counts].reduce((left, [kid, count]) => (kid === newest ? left : left + count), 0);
}

function sayWhatIsInUse({ newest, keys }: Keyring, counts: ReadonlyMap<string | null, number>): void {
  for (const [kid, count] of counts) {
    const isKnown = kid !== null && keys.has(kid);
    const note = kid === newest.kid ? '' : isKnown ? ': keep it' : ': it is not in the keyring';
    say(`in use: ${kid ?? 'no readable key id'}, by ${versions(count)}${note}`);
  }
  for (const kid of keys.keys()) {
    if (kid === newest.kid || counts.has(kid)) continue;
    say(
      `not in use: ${kid}; remove it from SECRETS_KEYRING once every process has ${newest.kid} in front, and keep it with the backups that it opens`,
    );
  }
}

const versions = (count: number): string =>
  `${String(count)} version${count === 1 ? '' : 's'} of credentials`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

runProcess(main);
