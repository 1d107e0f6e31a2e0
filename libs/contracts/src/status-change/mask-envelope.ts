const ACCOUNT_FIELDS = new Set(['accountId', 'accountNumber']);
const SHOWN = 4;

/** The last four characters of an account number; none of one that has no more. */
export function maskAccount(account: string): string {
  const characters = [...account];
  return characters.length > SHOWN ? `****${characters.slice(-SHOWN).join('')}` : '****';
}

/** An envelope as a viewer may see it: every account number cut to its last four characters. */
export function maskEnvelope(body: string): string {
  return JSON.stringify(JSON.parse(body, mask));
}

const mask = (key: string, value: unknown): unknown =>
  ACCOUNT_FIELDS.has(key) && typeof value === 'string' ? maskAccount(value) : value;
