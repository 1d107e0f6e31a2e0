import type { IncomingHttpHeaders } from 'node:http';

/** Response headers with one string for each name. */
export function plainHeaders(headers: Readonly<IncomingHttpHeaders>): Record<string, string> {
  // fromEntries makes own properties even of `__proto__`.
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

/**
 * The kept bytes of a body as text that PostgreSQL can hold: UTF-8 with U+FFFD for invalid bytes, without NUL and without
 * an incomplete character at the end.
 *
 * @param contentEncoding the header; a compressed body is not decompressed, since no encoding was offered.
 * @returns null for no body and for a compressed one.
 */
export function readableBody(
  kept: Buffer,
  isWhole: boolean,
  contentEncoding: string | undefined,
): string | null {
  if (kept.length === 0 || isEncoded(contentEncoding)) return null;
  return new TextDecoder().decode(kept, { stream: !isWhole }).replaceAll('\0', '');
}

export function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && !['', 'identity'].includes(contentEncoding.trim().toLowerCase());
}
