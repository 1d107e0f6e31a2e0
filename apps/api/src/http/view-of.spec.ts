import { expect, it } from '@jest/globals';
import { viewOf } from './view-of.js';

class KeyDto {
  // As the compiler's plugin writes it.
  static _OPENAPI_METADATA_FACTORY(): object {
    return { id: {}, createdAt: {}, lastUsedAt: {} };
  }
  id!: string;
  createdAt!: string;
  lastUsedAt!: string | null;
}

class OwnKeyDto extends KeyDto {
  static override _OPENAPI_METADATA_FACTORY(): object {
    return { isSession: {} };
  }
  isSession!: boolean;
}

const ROW = {
  id: 'k',
  created_at: new Date(0),
  last_used_at: null,
  key_hash: 'secret',
  sign_in_link_id: 'l',
};

it('an answer has the fields of its class and of those that it extends, and no other column of the row', () => {
  expect({ ...viewOf(OwnKeyDto, ROW, { isSession: true }) }).toEqual({
    id: 'k',
    createdAt: '1970-01-01T00:00:00.000Z',
    lastUsedAt: null,
    isSession: true,
  });
});

it('a given field replaces the column of its name', () => {
  expect(viewOf(KeyDto, ROW, { id: 'other' }).id).toBe('other');
});
