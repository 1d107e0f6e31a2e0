/**
 * Finds a key that occurs twice in one object of a JSON text. JSON.parse keeps the last one in silence, and nothing
 * that a producer sends may be dropped in silence (RFC 8259, section 4, leaves it to the reader).
 *
 * @param json a text that JSON.parse has accepted
 * @returns the key as it is spelled in the text, or null
 */
export function repeatedKey(json: string): string | null {
  // A set of keys for each object that is open, null for each array.
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charAt(at)) {
      case '{':
        open.push(new Set());
        break;
      case '[':
        open.push(null);
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case '"': {
        const end = endOfString(json, at);
        const keys = open.at(-1);
        if (keys != null && isKey(json, end)) {
          const spelled = json.slice(at + 1, end);
          const key: string = spelled.includes('\\') ? JSON.parse(`"${spelled}"`) : spelled;
          if (keys.has(key)) return spelled;
          keys.add(key);
        }
        at = end;
        break;
      }
      default:
    }
  }
  return null;
}

/** The place of the quotation mark that ends the string which begins at `start`. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** In an object, what a colon follows is a key. */
function isKey(json: string, end: number): boolean {
  let next = end + 1;
  while (json[next] === ' ' || json[next] === '\n' || json[next] === '\r' || json[next] === '\t') next += 1;
  return json[next] === ':';
}
