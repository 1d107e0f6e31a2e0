/** Shorter texts occur by chance. */
const LEAST = 8;

/**
 * All forms in which a text may contain a secret: plain, escaped for JSON (also to ASCII, and with `\/`) or for a URL,
 * in hex, and in base64 and base64url, alone or as part of longer data.
 */
export function everyEncoding(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret);
  const texts = typeof secret === 'string' ? escapesOf(secret) : [];
  const hex = bytes.toString('hex');
  const encoded = [0, 1, 2].map((offset) => insideBase64(bytes, offset));
  const forms = [
    ...texts,
    hex,
    hex.toUpperCase(),
    ...encoded,
    ...encoded.map((text) => text.replaceAll('/', '\\/')),
    ...encoded.map((text) => encodeURIComponent(text)),
    ...encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(forms)].filter((form) => form.length >= LEAST);
}

function escapesOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const url = encodeURIComponent(text);
  return [text, json, ascii, json.replaceAll('/', '\\/'), url, url.replaceAll('%20', '+'), encodeURI(text)];
}

/** The base64 of bytes that begin at this offset modulo 3, without the characters that also encode adjacent bytes. */
function insideBase64(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const isCutAtEnd = (offset + bytes.length) % 3 !== 0;
  return encoded.slice([0, 2, 3][offset], isCutAtEnd ? -1 : undefined);
}
