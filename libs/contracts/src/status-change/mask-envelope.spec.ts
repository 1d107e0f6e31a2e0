import { describe, expect, it } from '@jest/globals';
import { checkedChange } from '../../testing/faults-of.js';
import { buildEnvelope } from './build-envelope.js';
import { achExample, wireExample } from './examples.js';
import { maskAccount, maskEnvelope } from './mask-envelope.js';

describe('maskAccount', () => {
  it.each([
    ['', '****'],
    ['1', '****'],
    ['1234', '****'],
    ['12345', '****2345'],
    ['DE89370400440532013000', '****3000'],
    ['\u{1FA99}\u{1FA99}\u{1FA99}\u{1FA99}\u{1FA99}', '****\u{1FA99}\u{1FA99}\u{1FA99}\u{1FA99}'],
  ])('masks the account number %j as %j', (account, shown) => {
    expect(maskAccount(account)).toBe(shown);
  });
});

describe('maskEnvelope', () => {
  it.each([
    [achExample(), ['000123456789', '000987654321'], ['"accountId":"****6789"', '"accountId":"****4321"']],
    [
      wireExample(),
      ['1234567890123456', 'DE89370400440532013000'],
      ['"accountNumber":"****3456"', '"accountNumber":"****3000"'],
    ],
  ])('masks the account numbers of an envelope, and nothing else (case %#)', (raw, hidden, shown) => {
    const { body } = buildEnvelope(checkedChange(raw), 'id');
    const masked = maskEnvelope(body);
    for (const account of hidden) expect(masked).not.toContain(account);
    for (const account of shown) expect(masked).toContain(account);
    const withoutAccounts = (text: string): string => text.replace(/("account(?:Id|Number)"):"[^"]*"/g, '$1');
    expect(withoutAccounts(masked)).toBe(withoutAccounts(body));
  });
});
