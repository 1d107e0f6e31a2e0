const SECRET_NAMES: ReadonlySet<string> = new Set(['authorization', 'password', 'signingSecret', 'body']);

/**
 * A log line's fields with the values of these names cut out, also one level down. A net, since nobody logs them:
 * nearly every line passes with a look at its names (pino's own redaction by wildcard costs twice the line).
 */
export function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  for (const name in fields) {
    const value = fields[name];
    if (SECRET_NAMES.has(name) || (isPlain(value) && hasSecret(value))) return redacted(fields);
  }
  return fields;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function hasSecret(nested: Record<string, unknown>): boolean {
  for (const name in nested) if (SECRET_NAMES.has(name)) return true;
  return false;
}

const redacted = (fields: Record<string, unknown>): Record<string, unknown> =>
  mapped(fields, (value) => (isPlain(value) ? mapped(value, (inner) => inner) : value));

const mapped = (fields: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, SECRET_NAMES.has(name) ? '[redacted]' : map(value)]),
  );
