const ACCOUNT_FIELDS = new Set(['accountId', 'accountNumber']);
const SHOWN = 4;

/** An account number cut to its last four characters; a shorter one is masked completely. */
export function maskAccount(account: string): string {
  const characters = [...account];
  return characters.length > SHOWN ? `****${characters.slice(-SHOWN).join('')}` : '****';
}

/** An envelope for the role viewer: every account number is masked. */
export function maskEnvelope(body: string): string {
  return JSON.stringify(JSON.parse(body, mask));
}

const mask = (key: string, value: unknown): unknown =>
  ACCOUNT_FIELDS.has(key) && typeof value === 'string' ? maskAccount(value) : value;
