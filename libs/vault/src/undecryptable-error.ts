/**
 * `unknown_key`: the keyring lacks the key; `wrong_owner`: encrypted for another consumer or version;
 * `tampered`: altered, or the key under that id has changed.
 */
export type UndecryptableReason = 'unknown_key' | 'wrong_owner' | 'tampered';

/** A secret cannot be decrypted. If it is a consumer's credentials, its deliveries are held (`secret`) until it can. */
export class UndecryptableError extends Error {
  override readonly name = 'UndecryptableError';

  /**
   * @param kid id of the encryption key; null when it is unreadable
   * @param what the secret, such as `credentials 3 of consumer 0199…`
   * @param advice text for an operator, without secrets
   */
  constructor(
    readonly reason: UndecryptableReason,
    readonly kid: string | null,
    what: string,
    advice: string,
  ) {
    const key = kid === null ? 'an unreadable key id' : `key "${kid}"`;
    super(`${what}, sealed with ${key}, cannot be opened: ${advice}`);
  }
}
