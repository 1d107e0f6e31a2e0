import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes are drawn for so many ids at once: a draw costs the system the same however long it is. */
const POOL_BYTES = 4_096;
const ID_BYTES = 16;
const MOST_SEQUENCE = 0xffff_ffff;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;
let lastMs = -Infinity;
let sequence = 0;

/**
 * A new UUIDv7 (RFC 9562, section 6.2, method 1): each of this process is greater than the one before, also within a
 * millisecond and when the clock is set back. The library keeps such a counter too, but draws 16 bytes an id.
 */
export function newId(now = Date.now()): string {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.slice(used, (used += ID_BYTES));
  if (now > lastMs) {
    lastMs = now;
    // The upper bit is left free, so that a millisecond has room for as many again.
    sequence = new DataView(random.buffer).getUint32(0) >>> 1;
  } else if (sequence === MOST_SEQUENCE) {
    lastMs += 1;
    sequence = 0;
  } else {
    sequence += 1;
  }
  return v7({ msecs: lastMs, seq: sequence, random });
}
