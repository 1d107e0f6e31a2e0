import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { signatureWords } from './signature-words.js';

const OWN = { consumerId: randomUUID() };

describe('words about a signature', () => {
  it('the consumer’s own people read of their server and of the bank', () => {
    expect(signatureWords('This is what the consumer received.', OWN)).toBe(
      'This is what your server received.',
    );
    expect(signatureWords('The consumer’s secret ends with a line break.', OWN)).toBe(
      'Your server’s secret ends with a line break.',
    );
    expect(signatureWords('The dispatcher signs it as the dispatcher writes JSON.', OWN)).toBe(
      'The bank signs it as the bank writes JSON.',
    );
  });

  it('the bank’s people read of the consumer', () => {
    const words = 'The dispatcher signs what the consumer receives.';
    expect(signatureWords(words, {})).toBe(words);
  });
});
