import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** A JSON object with one long list, written while the client reads it. */
export interface StreamedAnswer {
  /** The fields before the list, if any. */
  readonly before?: object;
  /** Field name of the list. */
  readonly name: string;
  /** Records as JSON texts, in chunks. The next chunk is requested when the client has read the former one. */
  readonly records: AsyncIterable<readonly string[]>;
  /** The fields after the list, if any. */
  readonly after?: object;
}

/**
 * A JSON answer written with back-pressure: at most one chunk of records per answer is in memory, however slowly the
 * client reads (contract, "Lists"). A fault before the first chunk is thrown and answered as a problem. After a later
 * fault the connection is closed, so that an incomplete list never looks complete. `watchOpenAnswers` logs it.
 */
export const streamedAnswer = (answer: StreamedAnswer): Promise<StreamableFile> =>
  streamed(textOf(answer), { type: 'application/json; charset=utf-8' });

/** Like `streamedAnswer`, for chunks in any format. */
export async function streamed(
  chunks: AsyncGenerator<Buffer, void>,
  options: { type: string; disposition?: string },
): Promise<StreamableFile> {
  let first: IteratorResult<Buffer, void> | undefined = await chunks.next();
  const all: AsyncIterableIterator<Buffer, void> = {
    [Symbol.asyncIterator]: () => all,
    next: async () => {
      const read = first ?? chunks.next();
      first = undefined;
      return read;
    },
    // Called when the client disconnects, even before it has read anything.
    return: () => chunks.return(undefined),
  };
  // No read-ahead: the response has its own buffer.
  const stream = Readable.from(all, { objectMode: false, highWaterMark: 0 });
  return new StreamableFile(stream, options);
}

async function* textOf({
  before = {},
  name,
  records,
  after = {},
}: StreamedAnswer): AsyncGenerator<Buffer, void> {
  let opening = `${JSON.stringify(before).slice(0, -1)}${commaIn(before)}${JSON.stringify(name)}:[`;
  for await (const some of records) {
    if (some.length === 0) continue;
    yield Buffer.from(opening + some.join(','));
    opening = ',';
  }
  const ending = `]${commaIn(after)}${JSON.stringify(after).slice(1)}`;
  yield Buffer.from(opening === ',' ? ending : opening + ending);
}

const commaIn = (fields: object): string => (Object.keys(fields).length === 0 ? '' : ',');
