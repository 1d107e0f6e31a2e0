import { createHash } from 'node:crypto';

/** SHA-256 of a body's UTF-8 bytes, in hexadecimal: what the audit log keeps of a body that was looked at. */
export const bodyDigest = (body: string): string => createHash('sha256').update(body, 'utf8').digest('hex');
