import { UndecryptableError, type CredentialCache, type Credentials } from '#libs/vault';
import { ConflictException } from '@nestjs/common';

/** Credentials that cannot be decrypted: 409. The message has the remedy for an operator, and names keys of the keyring. */
export class CredentialsUnreadableError extends ConflictException {
  constructor({ message }: UndecryptableError, remedy = '') {
    super(`${message}.${remedy}`);
  }
}

/**
 * Returns a consumer's decrypted credentials, for a command that cannot work without them.
 * @throws CredentialsUnreadableError when they cannot be decrypted
 */
export async function openedCredentials(
  cache: CredentialCache,
  consumerId: string,
  version: number,
): Promise<Credentials> {
  try {
    return await cache.get(consumerId, version);
  } catch (error) {
    throw error instanceof UndecryptableError ? new CredentialsUnreadableError(error) : error;
  }
}
