const SIGNATURE_CHARACTERS_SHOWN = 8;

/**
 * Request headers for an attempt's record, without the values that would let a reader act as the dispatcher. `Authorization`
 * keeps its scheme, `x-signature` its first 8 characters to compare with a consumer's log. Names are case-insensitive.
 */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redacted(name, value)]));
}

function redacted(name: string, value: string): string {
  switch (name.toLowerCase()) {
    case 'authorization':
      return value.startsWith('Basic ') ? 'Basic [redacted]' : '[redacted]';
    case 'proxy-authorization':
    case 'cookie':
      return '[redacted]';
    case 'x-signature':
      return `${value.slice(0, SIGNATURE_CHARACTERS_SHOWN)}… [redacted]`;
    default:
      return value;
  }
}
