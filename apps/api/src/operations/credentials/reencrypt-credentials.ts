import {
  everySealed,
  replaceSealed,
  type AuditEntry,
  type Queryable,
  type SealedVersion,
} from '#libs/database';
import { UndecryptableError, type Vault } from '#libs/vault';

/** Who is named in the audit log. */
const ACTOR = 're-encryption command';

/** A version that cannot be opened. */
export interface Unreadable {
  /** The key that it names; null when it is no JWE. */
  readonly kid: string | null;
  /** Whose it is, why, and what to do; no secret. */
  readonly advice: string;
}

/** The result of a run. */
export interface Reencrypted {
  /** Versions that an older key had sealed, and that this run has sealed with the newest. */
  readonly done: number;
  readonly unreadable: readonly Unreadable[];
}

/**
 * Seals every version of every consumer's credentials with the newest key, one by one. The rows themselves
 * show the progress: a run that was cut off at any moment is resumed by another. The plain text stays, so a process that
 * has opened a version goes on with it. A version that cannot be opened is left unchanged and reported.
 * @param options.dryRun opens and seals all the same, and writes nothing
 * @param options.onDone is called after each version with how many are done
 */
export async function reencryptCredentials(
  db: Queryable,
  vault: Vault,
  options: { readonly dryRun: boolean; readonly onDone: (done: number) => void },
): Promise<Reencrypted> {
  const unreadable: Unreadable[] = [];
  let done = 0;
  for await (const row of everySealed(db)) {
    const anew = await vault.sealAnew(row, row.sealed).catch((error: unknown) => {
      if (!(error instanceof UndecryptableError)) throw error;
      unreadable.push({ kid: error.kid, advice: adviceOn(row, error) });
      return null;
    });
    if (anew === null) continue;
    // Another process has changed or dropped it since it was read.
    if (!options.dryRun && !(await replaceSealed(db, row, anew, entryOf(vault, row, anew)))) continue;
    done += 1;
    options.onDone(done);
  }
  return { done, unreadable };
}

/** How many versions each key has sealed, by its id, as the rows say; null counts what is no JWE. */
export async function keysInUse(db: Queryable, vault: Vault): Promise<Map<string | null, number>> {
  const counts = new Map<string | null, number>();
  for await (const { sealed } of everySealed(db)) {
    const kid = vault.keyIdOf(sealed);
    counts.set(kid, (counts.get(kid) ?? 0) + 1);
  }
  return counts;
}

function adviceOn({ consumerName, isNeeded }: SealedVersion, error: UndecryptableError): string {
  const effect = isNeeded ? 'its deliveries are, or will be, held' : 'nothing is sent with them any more';
  return `"${consumerName}": ${error.message} (${effect})`;
}

function entryOf(vault: Vault, { consumerId, version, sealed }: SealedVersion, anew: string): AuditEntry {
  return {
    actor: ACTOR,
    action: 'credentials.reencrypted',
    target: `consumer:${consumerId}`,
    address: null,
    details: { credentialVersion: version, fromKey: vault.keyIdOf(sealed), toKey: vault.keyIdOf(anew) },
  };
}
