import { repeatedKey } from './repeated-key.js';

/** Maximum nesting of objects and arrays; a batch has 9 levels. JSON.parse needs 1 s for 5 MiB of `[`. */
const MAX_DEPTH = 64;
/** Maximum number of values: a batch of 500 events has some 30,000. 5 MiB of `[],` would take 1 s of the event loop. */
const MAX_VALUES = 200_000;
/** Maximum number of names of one object: an event has 100 in all. For 190,000, V8 needs 50 ms to list them. */
const MAX_NAMES = 2_000;
/** Largest body in which a repeated name is searched for the error message. */
const MOST_NAMED_BYTES = 256 * 1024;
/** Maximum characters of a repeated name in the error message. */
const MAX_SHOWN = 100;

const TOO_MANY_VALUES = `The body has more than ${String(MAX_VALUES)} values.`;
const TOO_MANY_NAMES = `An object of the body has more than ${String(MAX_NAMES)} names.`;

/** Raised for a refused body. Fastify and the problem filter answer with `statusCode`. */
export class BodyRefusedError extends Error {
  override readonly name = 'BodyRefusedError';
  constructor(
    readonly statusCode: 400 | 413 | 415,
    message: string,
  ) {
    super(message);
  }
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Parses a JSON text (RFC 8259) more strictly than JSON.parse. Refuses invalid UTF-8, since lenient decoding would
 * store a text that the producer never sent. Refuses a name that occurs twice in an object, since JSON.parse silently
 * keeps only the last one. Refuses nesting beyond 64 levels, more than 200,000 values and objects of more than 2,000
 * names, since their cost is far out of proportion to their size.
 *
 * @returns undefined for an empty text
 * @throws BodyRefusedError
 */
export function readJson(bytes: Buffer): unknown {
  const steps = readJsonInSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Like `readJson`, in steps of at most some 30 ms for 5 MiB, so that a caller can do other work between them. */
export function* readJsonInSteps(bytes: Buffer): Generator<undefined, unknown> {
  const keys = countKeys(bytes);
  yield;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new BodyRefusedError(400, 'The body is not valid UTF-8.');
  }
  if (text.trim() === '') return undefined;
  yield;
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BodyRefusedError(400, 'The body is not valid JSON.');
  }
  yield;
  if (keysIn(value) === keys) return value;
  // Finding the name takes longer than parsing, so only bodies of ordinary size are searched.
  const name = bytes.length > MOST_NAMED_BYTES ? null : repeatedKey(text);
  const which = name === null ? 'a field' : `"${name.slice(0, MAX_SHOWN)}"`;
  throw new BodyRefusedError(400, `The body names ${which} twice in one object.`);
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Counts the keys written in a JSON text: its colons outside strings. For invalid JSON the number has no meaning.
 * @throws BodyRefusedError when the text is nested too deeply, or has too many values or names
 */
function countKeys(json: Buffer): number {
  let keys = 0;
  let values = 1;
  let depth = 0;
  /** Names of the open objects, by their depth. */
  const namesAt = new Uint32Array(MAX_DEPTH + 1);
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COLON) {
      keys += 1;
      const names = (namesAt[depth] ?? 0) + 1;
      if (names > MAX_NAMES) throw new BodyRefusedError(400, TOO_MANY_NAMES);
      namesAt[depth] = names;
    } else if (byte === COMMA) values += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > MAX_DEPTH)
        throw new BodyRefusedError(400, `The body is nested deeper than ${String(MAX_DEPTH)} levels.`);
      namesAt[depth] = 0;
    }
    if (values + depth > MAX_VALUES) throw new BodyRefusedError(400, TOO_MANY_VALUES);
  }
  return keys;
}

/** Returns the index of the quotation mark that ends the string beginning at `start`. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Counts the keys of a parsed text: fewer than written if a key was repeated. Loops of this form need half the time
 * of `Object.values` and `for…of`. Together with `countKeys` it is faster than JSON.parse, except for texts of almost
 * only numbers (5 ms more for 5 MiB) or names like array indices (15 ms more).
 */
function keysIn(value: Json): number {
  let keys = 0;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const item = value[at];
      if (typeof item === 'object') keys += keysIn(item);
    }
  } else if (value !== null && typeof value === 'object') {
    for (const name in value) {
      const item = value[name];
      keys += 1;
      if (typeof item === 'object') keys += keysIn(item);
    }
  }
  return keys;
}
