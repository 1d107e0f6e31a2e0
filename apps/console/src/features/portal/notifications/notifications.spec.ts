import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Field {
  path: string;
  value: string;
  isRequired: boolean;
  about: string;
}
const { 'ach.status': ach, 'wire.status': wire }: Record<string, { fields: Field[] }> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'notifications.json'), 'utf8'),
);
const FIELDS = { 'ach.status': ach?.fields ?? [], 'wire.status': wire?.fields ?? [] };

it('every field of a notification has a value and a meaning', () => {
  for (const fields of Object.values(FIELDS)) {
    expect(fields.filter(({ value, about }) => !value || !about)).toEqual([]);
    expect(new Set(fields.map(({ path }) => path)).size).toBe(fields.length);
  }
});

it('the fields of nested objects and lists have their whole path', () => {
  expect(FIELDS['ach.status'].find(({ path }) => path === 'data.achEventInfo.status')).toEqual({
    path: 'data.achEventInfo.status',
    value: 'INITIATED, PROCESSED, NOTICE_OF_CHANGE, RETURN',
    isRequired: true,
    about: 'The new status of the payment.',
  });
  expect(FIELDS['wire.status'].map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'data.wireEventInfo.exceptionInfo[]',
      'data.wireEventInfo.exceptionInfo[].exceptionCode',
      'data.wireEventInfo.originalWire.beneficiaryInfo.institutionInfo.address.city',
    ]),
  );
});
