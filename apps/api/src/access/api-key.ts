import { hash, randomBytes } from 'node:crypto';

/** Name of the key from the configuration, reserved so that the audit log can distinguish it from stored keys. */
export const FIRST_KEY_NAME = 'admin';

/** Generates an API key: 256 random bits, after a prefix by which scanners can detect leaked keys. */
export const newApiKey = (): string => `pnd_${randomBytes(32).toString('base64url')}`;

/** Hash under which a key is stored and looked up. A fast hash is sufficient: a key is random, not a password. */
export const hashApiKey = (key: string): Buffer => hash('sha256', key, 'buffer');
