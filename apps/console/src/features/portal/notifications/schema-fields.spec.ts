import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf, type NotificationSchema } from './schema-fields';

const schemaOf = (eventType: string): NotificationSchema =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${eventType}.schema.json`), 'utf8'));

describe.each(['ach.status', 'wire.status'] as const)('schema of the notification %s', (eventType) => {
  it('every field has a value and a meaning, and an object is before its fields', () => {
    const fields = fieldsOf(schemaOf(eventType));
    expect(fields.filter(({ value, about }) => value === '' || about === '')).toEqual([]);
    expect(fields.slice(0, 4).map(({ path }) => path)).toEqual([
      'notificationId',
      'eventType',
      'eventDateTime',
      'data',
    ]);
  });
});

it('the fields of nested objects and lists have their whole path', () => {
  const [ach, wire] = [fieldsOf(schemaOf('ach.status')), fieldsOf(schemaOf('wire.status'))];
  expect(ach.find(({ path }) => path === 'data.achEventInfo.status')).toEqual({
    path: 'data.achEventInfo.status',
    value: 'INITIATED, PROCESSED, NOTICE_OF_CHANGE, RETURN',
    isRequired: true,
    about: 'The new status of the payment.',
  });
  expect(wire.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'data.wireEventInfo.exceptionInfo[]',
      'data.wireEventInfo.exceptionInfo[].exceptionCode',
      'data.wireEventInfo.originalWire.beneficiaryInfo.institutionInfo.address.city',
    ]),
  );
});
