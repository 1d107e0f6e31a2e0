import { v7 } from 'uuid';

/** A new UUIDv7 (RFC 9562): each of this process is greater than the one before, also when the clock is set back. */
export const newId = (): string => v7();
