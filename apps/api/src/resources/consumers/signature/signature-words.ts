import type { Scope } from '../../../access/scope.js';

/** Sentences about a signature for a scope: the consumer's own people read of their server and of the bank. */
export const signatureWords = (words: string, { consumerId }: Scope): string =>
  consumerId === undefined
    ? words
    : words
        .replaceAll('The consumer', 'Your server')
        .replaceAll('the consumer', 'your server')
        .replaceAll('he dispatcher', 'he bank');
