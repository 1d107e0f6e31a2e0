import { UndecryptableError, type CredentialCache, type Credentials } from '#libs/vault';
import { ConflictException } from '@nestjs/common';

/**
 * A consumer's credentials, for an operator's command that cannot go on without them.
 * @throws ConflictException, with what to do, when they cannot be decrypted
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
