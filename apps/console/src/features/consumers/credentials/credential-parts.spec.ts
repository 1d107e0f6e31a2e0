import { describe, expect, it } from '@jest/globals';
import { secretFault } from './credential-parts';

describe('a signing secret that was agreed on', () => {
  it.each(['x', 'ü', '💶'])('has 16 to 256 characters, of which %s is one', (character) => {
    expect(secretFault(character.repeat(16))).toBeNull();
    expect(secretFault(character.repeat(256))).toBeNull();
    expect(secretFault(character.repeat(15))).toBe('Enter 16 to 256 characters');
    expect(secretFault(character.repeat(257))).toBe('Enter 16 to 256 characters');
  });
});
