/**
 * Finds a key that occurs twice in one object of a JSON text. JSON.parse silently keeps only the last one, but no
 * data of a producer may be dropped silently. RFC 8259, section 4, leaves the treatment to the parser.
 *
 * @param json a text that JSON.parse has accepted
 * @returns the key as written in the text, or null
 */
export function repeatedKey(json: string): string | null {
  // The set of keys of each open object; null for each open array.
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

/** Returns the index of the quotation mark that ends the string beginning at `start`. */
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

/** Whether the string that ends at `end` is a key: a colon follows. */
function isKey(json: string, end: number): boolean {
  let next = end + 1;
  while (json[next] === ' ' || json[next] === '\n' || json[next] === '\r' || json[next] === '\t') next += 1;
  return json[next] === ':';
}
