import { everySealedChannel, replaceSealedChannel, type Queryable } from '#libs/database';
import { UndecryptableError, type ChannelVault } from '#libs/vault';
import {
  REENCRYPTION_ACTOR,
  type Reencrypted,
  type Unreadable,
} from '../consumers/credentials/reencrypt-credentials.js';

/**
 * Encrypts the secrets of every channel with the newest key, as `reencryptCredentials` does with consumers' credentials.
 * Channels are few, so all are read at once.
 * @param options.dryRun decrypts and encrypts, but writes nothing
 */
export async function reencryptChannels(
  db: Queryable,
  vault: ChannelVault,
  options: { readonly dryRun: boolean },
): Promise<Reencrypted> {
  const unreadable: Unreadable[] = [];
  let done = 0;
  for (const channel of await everySealedChannel(db)) {
    const { id, name, sealed } = channel;
    const resealed = await vault.reseal(id, sealed).catch((error: unknown) => {
      if (!(error instanceof UndecryptableError)) throw error;
      unreadable.push({ kid: error.kid, advice: `"${name}": ${error.message} (its messages are not sent)` });
      return null;
    });
    if (resealed === null) continue;
    const audit = {
      actor: REENCRYPTION_ACTOR,
      action: 'credentials.reencrypted',
      target: `channel:${id}`,
      address: null,
      details: { name, fromKey: vault.keyIdOf(sealed), toKey: vault.keyIdOf(resealed) },
    };
    if (options.dryRun || (await replaceSealedChannel(db, channel, resealed, audit))) done += 1;
  }
  return { done, unreadable };
}
