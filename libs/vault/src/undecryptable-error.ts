/**
 * `unknown_key`: the keyring lacks the key; `wrong_owner`: encrypted for another consumer or version;
 * `tampered`: altered, or the key under that id has changed.
 */
export type UndecryptableReason = 'unknown_key' | 'wrong_owner' | 'tampered';

/** A consumer's credentials cannot be decrypted: its deliveries are held (`secret`) until they can. */
export class UndecryptableError extends Error {
  override readonly name = 'UndecryptableError';

  /**
   * @param kid id of the encryption key; null when it is unreadable
   * @param advice text for an operator, without secrets
   */
  constructor(
    readonly reason: UndecryptableReason,
    readonly kid: string | null,
    owner: { readonly consumerId: string; readonly version: number },
    advice: string,
  ) {
    const key = kid === null ? 'an unreadable key id' : `key "${kid}"`;
    super(
      `credentials ${owner.version} of consumer ${owner.consumerId}, sealed with ${key}, cannot be opened: ${advice}`,
    );
  }
}
