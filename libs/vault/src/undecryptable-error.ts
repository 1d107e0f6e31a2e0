/**
 * `unknown_key`: the keyring lacks the key; `wrong_owner`: sealed for another consumer or version;
 * `tampered`: not what was sealed, or the key under that id has changed.
 */
export type UndecryptableReason = 'unknown_key' | 'wrong_owner' | 'tampered';

/** A consumer's credentials cannot be opened: its deliveries are held (`secret`) until they can. */
export class UndecryptableError extends Error {
  override readonly name = 'UndecryptableError';

  /**
   * @param kid the id of the key that sealed them, or null when not even that can be read.
   * @param advice what an operator does about it; names no secret.
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
