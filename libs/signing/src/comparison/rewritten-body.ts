/** Deeper than any notification; an indented text grows with the square of its depth. */
const DEEPEST = 32;
/** Limit for a rewritten text; a notification has up to 256 KiB before it is indented. */
const LONGEST = 1_048_576;

/** The value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a body and writes it again; null if it is not JSON, is nested too deep or becomes too long. */
export const rewritten =
  (write: (value: unknown) => string) =>
  (body: string): string | null => {
    const value = parsedJson(body);
    if (value === undefined || isDeeper(value, DEEPEST)) return null;
    const text = write(value);
    return text.length > LONGEST ? null : text;
  };

const isDeeper = (value: unknown, levels: number): boolean =>
  levels < 0 ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((item) => isDeeper(item, levels - 1)));

export const compact = (value: unknown): string => JSON.stringify(value);

export const indented =
  (blanks: number) =>
  (value: unknown): string =>
    JSON.stringify(value, null, blanks);

/** A blank after each comma and colon. Only line breaks of the indentation occur in JSON; those of texts are escaped. */
export const spaced = (value: unknown): string =>
  indented(1)(value).replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '');

export const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item !== 'object' || item === null || Array.isArray(item)
      ? item
      : Object.fromEntries(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  );

/** Every non-ASCII character as `\uXXXX`. */
export const escaped = (body: string): string =>
  body.replaceAll(/[\u0080-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
