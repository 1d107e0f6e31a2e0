import { describe, expect, it } from '@jest/globals';

import { mailAddressOf } from './mail-address.js';

describe('mailAddressOf', () => {
  it.each([
    ['integration@acme.example', 'integration@acme.example'],
    ['Jane Doe, +49 30 123456 or <jane@acme.example>; at night ops@acme.example', 'jane@acme.example'],
    ['+49 30 123456', null],
    ['jane@acme', null],
    ['', null],
    [null, null],
  ])('the mail address in the contact %j is %j', (contact, address) => {
    expect(mailAddressOf(contact)).toBe(address);
  });
});
