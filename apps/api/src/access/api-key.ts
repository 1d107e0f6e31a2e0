import { createHash, randomBytes } from 'node:crypto';

/** A new API key: 256 random bits behind a prefix that scanners for leaked secrets can look for. */
export const newApiKey = (): string => `pnd_${randomBytes(32).toString('base64url')}`;

/** What is stored and looked up; a fast hash is enough, since the key is random and not a password. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest();
