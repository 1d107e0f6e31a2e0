import { hash, randomBytes } from 'node:crypto';

/** The name of the key from the configuration; no other key may have it, or the audit log could not distinguish them. */
export const FIRST_KEY_NAME = 'admin';

/** A new API key: 256 random bits behind a prefix that scanners for leaked secrets can look for. */
export const newApiKey = (): string => `pnd_${randomBytes(32).toString('base64url')}`;

/** What is stored and looked up; a fast hash is enough, since the key is random and not a password. */
export const hashApiKey = (key: string): Buffer => hash('sha256', key, 'buffer');
