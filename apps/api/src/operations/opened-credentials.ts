import { UndecryptableError, type CredentialCache, type Credentials } from '#libs/vault';
import { ConflictException } from '@nestjs/common';

/**
 * Returns a consumer's decrypted credentials, for a command that cannot work without them.
 * @throws ConflictException, with the remedy, when they cannot be decrypted
 */
export async function openedCredentials(
  cache: CredentialCache,
  consumerId: string,
  version: number,
): Promise<Credentials> {
  try {
    return await cache.get(consumerId, version);
  } catch (error) {
    throw error instanceof UndecryptableError ? new ConflictException(`${error.message}.`) : error;
  }
}
