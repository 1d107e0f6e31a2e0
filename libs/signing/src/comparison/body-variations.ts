import { ofPart, type Variation, type VariationCode } from './variation.js';

/** Deeper than any notification; an indented text grows with the square of its depth. */
const DEEPEST = 32;
/** Limit for a rewritten text; a notification has up to 256 KiB before it is indented. */
const LONGEST = 1_048_576;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Parses a JSON text and writes it again.
 * @returns null for a text that is not JSON, is nested too deep or becomes too long
 */
const rewritten =
  (write: (value: unknown) => string) =>
  (body: string): string | null => {
    try {
      const text = write(bounded(JSON.parse(body), DEEPEST));
      return text.length > LONGEST ? null : text;
    } catch {
      return null;
    }
  };

/** @throws RangeError for a value with more levels */
function bounded(value: unknown, levels: number): unknown {
  if (levels < 0) throw new RangeError('nested too deeply');
  if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) bounded(item, levels - 1);
  return value;
}

const compact = (value: unknown): string => JSON.stringify(value);

/** A blank after each comma and colon, as Python's `json.dumps` writes. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${spaced(item)}`);
  return `{${members.join(', ')}}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, item]) => [name, sorted(item)]));
}

/** Every non-ASCII character as `\uXXXX`, as Python and PHP write by default. */
const escaped = (body: string): string =>
  body.replaceAll(/[\u0080-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const varied = (code: VariationCode, words: string, change: (body: string) => string | null): Variation =>
  ofPart(code, 'body', words, remembered(change));

/** Caches the last result: most pairs repeat a body variation, and a large body takes milliseconds. */
function remembered(change: (body: string) => string | null): (body: string) => string | null {
  let last: { readonly body: string; readonly changed: string | null } | undefined;
  return (body) => {
    if (last?.body !== body) last = { body, changed: change(body) };
    return last.changed;
  };
}

/**
 * How frameworks, editors and pasting change a body. The order is that of two combined changes: rewriting first, then added
 * characters.
 * @param asSent the bytes of the notification that the body names, if it is one of the consumer's
 */
export const bodyVariations = (asSent: string | null): Variation[] => [
  varied(
    'body_as_sent',
    'The consumer signs the body as it was sent; the body that was pasted is another.',
    () => asSent,
  ),
  varied(
    'body_trimmed',
    'The consumer signs the body without the blanks, line breaks or byte order mark around the pasted one.',
    (body) => body.trim(),
  ),
  varied(
    'body_compact',
    'The consumer parses the body and writes it again without blanks.',
    rewritten(compact),
  ),
  varied(
    'body_keys_sorted',
    'The consumer parses the body and writes it again with its keys sorted.',
    rewritten((value) => compact(sorted(value))),
  ),
  varied(
    'body_spaced',
    'The consumer parses the body and writes it again with a blank after each comma and colon, as Python’s json.dumps does.',
    rewritten(spaced),
  ),
  ...[2, 4].map((indent) =>
    varied(
      'body_indented',
      `The consumer parses the body and writes it again, indented by ${String(indent)} blanks.`,
      rewritten((value) => JSON.stringify(value, null, indent)),
    ),
  ),
  varied(
    'body_escaped',
    'The consumer parses the body and writes every character beyond ASCII as \\uXXXX.',
    escaped,
  ),
  varied('body_trailing_blank', 'The consumer signs the body with a blank after it.', (body) => `${body} `),
  ...['\n', '\r\n'].map((end) =>
    varied(
      'body_trailing_break',
      `The consumer signs the body with a line break after it (${end === '\n' ? 'LF' : 'CR LF'}).`,
      (body) => body + end,
    ),
  ),
  varied('body_byte_order_mark', 'The consumer signs the body with a byte order mark before it.', (body) =>
    body.startsWith(BYTE_ORDER_MARK) ? null : BYTE_ORDER_MARK + body,
  ),
];
