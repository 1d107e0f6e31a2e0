import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** An object whose one long list is written while the client reads it. */
export interface StreamedAnswer {
  /** The fields before the list, if any. */
  readonly before?: object;
  /** The list's name. */
  readonly name: string;
  /** Its records as JSON texts, some at a time; the next are asked for when the client has taken the former ones. */
  readonly records: AsyncIterable<readonly string[]>;
  /** The fields after the list, if any. */
  readonly after?: object;
}

/**
 * A JSON answer that is written with back-pressure: of each answer no more than one chunk of records is in memory, however
 * slowly the client reads (contract, "Lists"). A fault before the first chunk is thrown, to be answered as a problem.
 * After that the connection is cut, so that a list that is not whole never looks whole. `watchOpenAnswers` logs it.
 */
export const streamedAnswer = (answer: StreamedAnswer): Promise<StreamableFile> =>
  streamed(textOf(answer), { type: 'application/json; charset=utf-8' });

/** The same for records in another format. */
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
    // Called when the client leaves, also before it has taken anything.
    return: () => chunks.return(undefined),
  };
  // Nothing is read ahead of the client: the response has a buffer of its own.
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
