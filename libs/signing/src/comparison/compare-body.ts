import { isDeepStrictEqual } from 'node:util';
import { parsedJson } from './rewritten-body.js';

const ID = /"notificationId"\s*:\s*"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/i;
/** Enough to find the place; the rest of the payload is not repeated. */
const EXCERPT = 16;

/** How a pasted body relates to the bytes of the notification that it names. */
export type BodyComparison =
  | { readonly kind: 'same_bytes' }
  | {
      /** `rewritten`: the same JSON in other bytes. `changed`: another content, or invalid JSON. */
      readonly kind: 'rewritten' | 'changed';
      /** Equal bytes before the first difference. */
      readonly offset: number;
      /** At most 16 characters from there; empty at the end of the text. */
      readonly sent: string;
      readonly given: string;
    };

/** The `notificationId` that a body names, in lower case; null when it names none. Any text is accepted. */
export const notificationIdIn = (body: string): string | null => ID.exec(body)?.[1]?.toLowerCase() ?? null;

/** Compares a pasted body with the one that was sent. */
export function compareBody(given: string, sent: string): BodyComparison {
  if (given === sent) return { kind: 'same_bytes' };
  const at = firstDifference(given, sent);
  return {
    kind: isDeepStrictEqual(parsedJson(given.trim()), parsedJson(sent)) ? 'rewritten' : 'changed',
    offset: Buffer.byteLength(sent.slice(0, at), 'utf8'),
    sent: excerpt(sent, at),
    given: excerpt(given, at),
  };
}

/** Index of the first different character, never within a surrogate pair. */
function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at > 0 && /[\uD800-\uDBFF]/.test(one[at - 1] ?? '') ? at - 1 : at;
}

const excerpt = (text: string, at: number): string =>
  Array.from(text.slice(at, at + 2 * EXCERPT))
    .slice(0, EXCERPT)
    .join('');
