/** A record of a page, of which only the id and the size have been read. */
export interface Listed {
  readonly id: string;
  /** What makes it large, in bytes; the rest of a record is some hundred. */
  readonly bytes: number;
}

/** So many answers are written at once that each may hold this much, and hardly more than one record otherwise. */
const MOST_BYTES = 256 * 1024;
/** A statement takes as long for a few small records as for one. */
const MOST_RECORDS = 64;

/**
 * The page in its order, as the ids that one statement reads: 64 records or 256 KiB at most, and at least one record
 * however large it is.
 */
export function chunksOf(page: readonly Listed[]): string[][] {
  const chunks: string[][] = [];
  let room = 0;
  for (const { id, bytes } of page) {
    const chunk = chunks.at(-1);
    room -= bytes;
    if (chunk !== undefined && room >= 0 && chunk.length < MOST_RECORDS) {
      chunk.push(id);
    } else {
      chunks.push([id]);
      room = MOST_BYTES - bytes;
    }
  }
  return chunks;
}
