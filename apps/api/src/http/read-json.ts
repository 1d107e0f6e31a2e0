import { repeatedKey } from './repeated-key.js';

/** Objects and arrays inside one another; a batch has 9. JSON.parse takes 1 s for 5 MiB of `[`. */
const MAX_DEPTH = 64;
/** The largest body in which a repeated name is looked for, to be shown. */
const MOST_NAMED_BYTES = 256 * 1024;
/** Shown of a name that a request invents. */
const MAX_SHOWN = 100;

/** Raised for a body that is refused; `statusCode` is what Fastify and the problem filter answer with. */
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
 * Parses a JSON text (RFC 8259) more strictly than JSON.parse: bytes that are no UTF-8 are refused, since decoded leniently
 * they would be stored as something that the producer never sent; so is a name that occurs twice in one object, of which
 * JSON.parse keeps the last one in silence; and so is nesting beyond 64, which costs far more than its size.
 *
 * @returns undefined for an empty text
 * @throws BodyRefusedError
 */
export function readJson(bytes: Buffer): unknown {
  const keys = countKeys(bytes);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new BodyRefusedError(400, 'The body is not valid UTF-8.');
  }
  if (text.trim() === '') return undefined;
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BodyRefusedError(400, 'The body is not valid JSON.');
  }
  if (keysIn(value) === keys) return value;
  // Finding the name takes longer than parsing, so it is looked for only in a body of ordinary size.
  const name = bytes.length > MOST_NAMED_BYTES ? null : repeatedKey(text);
  const which = name === null ? 'a field' : `"${name.slice(0, MAX_SHOWN)}"`;
  throw new BodyRefusedError(400, `The body names ${which} twice in one object.`);
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * The keys that a JSON text spells out: its colons outside strings. Of what is no JSON the number means nothing.
 * @throws BodyRefusedError when it is nested too deeply
 */
function countKeys(json: Buffer): number {
  let keys = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COLON) keys += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > MAX_DEPTH)
        throw new BodyRefusedError(400, `The body is nested deeper than ${String(MAX_DEPTH)} levels.`);
    }
  }
  return keys;
}

/** The place of the quotation mark that ends the string which begins at `start`. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * The keys that a parsed text has: fewer than it spells out when one of them was repeated. Loops of this form take half the
 * time of `Object.values` and `for…of`. Together with the count above it takes less than JSON.parse, but for texts that are
 * nearly nothing but numbers (5 ms more for 5 MiB) or names like array indices (15 ms more).
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
