import { createHash } from 'node:crypto';

/** SHA-256 of a body's UTF-8 bytes, in hexadecimal. The audit log records it instead of the body. */
export const bodyDigest = (body: string): string => createHash('sha256').update(body, 'utf8').digest('hex');
