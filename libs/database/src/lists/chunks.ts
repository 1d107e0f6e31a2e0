/** Id and size of a record of a page; its content has not been read yet. */
export interface Listed {
  readonly id: string;
  /** Size of the large columns, in bytes; the rest of a record is a few hundred bytes. */
  readonly bytes: number;
}

/** Maximum size of a chunk in memory, unless a single record is larger: many answers are written at the same time. */
const MOST_BYTES = 256 * 1024;
/** Maximum number of records per chunk: a statement for a few small records takes as long as for one. */
const MOST_RECORDS = 64;

/**
 * Divides a page, in its order, into the ids of single statements: at most 64 records or 256 KiB, and at least one
 * record of any size.
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
