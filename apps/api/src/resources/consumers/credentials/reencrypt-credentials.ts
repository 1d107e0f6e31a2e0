import {
  everySealed,
  everySealedChannel,
  replaceSealed,
  type AuditEntry,
  type Queryable,
  type SealedVersion,
} from '#libs/database';
import { UndecryptableError, type Vault } from '#libs/vault';

/** The actor in the audit log. */
export const REENCRYPTION_ACTOR = 're-encryption command';

/** A version, or a channel, that cannot be decrypted. */
export interface Unreadable {
  /** The key id in its header; null when it is not a JWE. */
  readonly kid: string | null;
  /** The consumer or channel, the cause and the remedy, without secrets. */
  readonly advice: string;
}

/** The result of a run. */
export interface Reencrypted {
  /** Number of versions that were encrypted with an older key, and that this run has encrypted with the newest. */
  readonly done: number;
  readonly unreadable: readonly Unreadable[];
}

/**
 * Encrypts every version of every consumer's credentials with the newest key, one by one. The rows themselves show
 * the progress, so another run continues an interrupted one. The plain text does not change, so a process can keep
 * using a version that it has decrypted. A version that cannot be decrypted is left unchanged and reported.
 * @param options.dryRun decrypts and encrypts, but writes nothing
 * @param options.onDone is called after each re-encrypted version with the number done so far
 */
export async function reencryptCredentials(
  db: Queryable,
  vault: Vault,
  options: { readonly dryRun: boolean; readonly onDone: (done: number) => void },
): Promise<Reencrypted> {
  const unreadable: Unreadable[] = [];
  let done = 0;
  for await (const row of everySealed(db)) {
    const anew = await vault.reseal(row, row.sealed).catch((error: unknown) => {
      if (!(error instanceof UndecryptableError)) throw error;
      unreadable.push({ kid: error.kid, advice: adviceOn(row, error) });
      return null;
    });
    if (anew === null) continue;
    // Another process has changed or dropped the version since it was read.
    if (!options.dryRun && !(await replaceSealed(db, row, anew, entryOf(vault, row, anew)))) continue;
    done += 1;
    options.onDone(done);
  }
  return { done, unreadable };
}

/** Number of versions and channels per key id, as their headers state it; null counts values that are not a JWE. */
export async function keysInUse(db: Queryable, vault: Vault): Promise<Map<string | null, number>> {
  const counts = new Map<string | null, number>();
  const count = (sealed: string): void => {
    const kid = vault.keyIdOf(sealed);
    counts.set(kid, (counts.get(kid) ?? 0) + 1);
  };
  for await (const { sealed } of everySealed(db)) count(sealed);
  for (const { sealed } of await everySealedChannel(db)) count(sealed);
  return counts;
}

function adviceOn({ consumerName, isNeeded }: SealedVersion, error: UndecryptableError): string {
  const effect = isNeeded ? 'its deliveries are, or will be, held' : 'nothing is sent with them any more';
  return `"${consumerName}": ${error.message} (${effect})`;
}

function entryOf(vault: Vault, { consumerId, version, sealed }: SealedVersion, anew: string): AuditEntry {
  return {
    actor: REENCRYPTION_ACTOR,
    action: 'credentials.reencrypted',
    target: `consumer:${consumerId}`,
    address: null,
    details: { credentialVersion: version, fromKey: vault.keyIdOf(sealed), toKey: vault.keyIdOf(anew) },
  };
}
