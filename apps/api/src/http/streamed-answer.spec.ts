import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { streamedAnswer, type StreamedAnswer } from './streamed-answer.js';

async function* given(chunks: readonly (readonly unknown[])[]): AsyncGenerator<string[]> {
  for (const chunk of chunks) yield chunk.map((record) => JSON.stringify(record));
}

const written = async (answer: StreamedAnswer): Promise<string> =>
  (await buffer((await streamedAnswer(answer)).getStream())).toString();

it('a streamed answer equals JSON.stringify of the whole, for any chunks of records', async () => {
  const fields = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(
      fields,
      fc.string(),
      fc.array(fc.array(fc.jsonValue(), { maxLength: 4 }), { maxLength: 6 }),
      fields,
      async (before, name, chunks, after) => {
        // No answer repeats a name, or has numbers as names, which an object sorts first.
        fc.pre(
          Object.keys({ ...before, [name]: 0, ...after }).join() ===
            [...Object.keys(before), name, ...Object.keys(after)].join(),
        );
        const whole = JSON.stringify({ ...before, [name]: chunks.flat(), ...after });
        expect(await written({ before, name, records: given(chunks), after })).toBe(whole);
      },
    ),
  );
});

it('a streamed answer reads nothing ahead of the client', async () => {
  let reads = 0;
  async function* counted(): AsyncGenerator<string[]> {
    for (; reads < 5; reads++) yield ['1'];
  }
  const stream = (await streamedAnswer({ name: 'all', records: counted() })).getStream();
  expect(reads).toBe(0);
  const first: unknown = (await stream[Symbol.asyncIterator]().next()).value;
  expect(String(first)).toBe('{"all":[1');
  expect(reads).toBeLessThanOrEqual(1);
});

it('a streamed answer throws a failed first read, so that the api can answer with a problem', async () => {
  const unreachable = new Error('unreachable');
  async function* failing(): AsyncGenerator<string[]> {
    yield* [];
    throw unreachable;
  }
  await expect(streamedAnswer({ name: 'all', records: failing() })).rejects.toBe(unreachable);
});

it('a streamed answer ends without its closing brackets when a later read fails', async () => {
  const unreachable = new Error('unreachable');
  async function* failing(): AsyncGenerator<string[]> {
    yield ['1'];
    throw unreachable;
  }
  const stream = (await streamedAnswer({ name: 'all', records: failing() })).getStream();
  let received = '';
  const receive = async (): Promise<void> => {
    for await (const part of stream) received += String(part);
  };
  await expect(receive()).rejects.toBe(unreachable);
  expect(received).toBe('{"all":[1');
});

it.each([
  ['in the middle', (stream: Readable) => void stream.once('data', () => stream.destroy())],
  ['before it has received anything', (stream: Readable) => void stream.destroy()],
])('a streamed answer stops reading its records when the client disconnects %s', async (_when, leave) => {
  const ended = Promise.withResolvers<string>();
  async function* endless(): AsyncGenerator<string[]> {
    try {
      for (;;) yield ['1'];
    } finally {
      ended.resolve('ended');
    }
  }
  leave((await streamedAnswer({ name: 'all', records: endless() })).getStream());
  expect(await ended.promise).toBe('ended');
});
