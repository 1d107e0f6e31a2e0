import { describe, expect, it } from '@jest/globals';
import { secretFault } from './credential-parts';

describe('agreed signing secret', () => {
  it.each(['x', 'ü', '💶'])(
    'accepts a signing secret of 16 to 256 characters, counting %s as one',
    (character) => {
      expect(secretFault(character.repeat(16))).toBeNull();
      expect(secretFault(character.repeat(256))).toBeNull();
      expect(secretFault(character.repeat(15))).toBe('Enter 16 to 256 characters');
      expect(secretFault(character.repeat(257))).toBe('Enter 16 to 256 characters');
    },
  );
});
