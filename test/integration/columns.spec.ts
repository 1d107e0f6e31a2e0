import { expect, it } from 'vitest';
import fc from 'fast-check';
import { sql, type RawBuilder } from 'kysely';
import {
  arrayLiteral,
  bigints,
  booleans,
  bytes,
  floats,
  instants,
  integers,
  jsons,
  texts,
  uuids,
} from '../../libs/database/src/connection/columns.js';
import { fileDatabase } from '#test/support/file-database';

const { db } = await fileDatabase();

const text = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .filter((value) => !value.includes('\u0000') && value.isWellFormed());
const date = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
const identity = <V>(value: V): V => value;
const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** A list of values, or nulls among them, of any type: the column that is made of it, and what PostgreSQL then reads. */
const listOf = <V>(
  values: fc.Arbitrary<V>,
  column: (list: readonly (V | null)[]) => RawBuilder<unknown>,
  read: (value: V) => unknown = identity,
) =>
  fc.array(fc.option(values), { maxLength: 20 }).map((list) => ({
    column: column(list),
    expected: list.map((value) => (value === null ? null : read(value))),
  }));

const COLUMNS = {
  texts: listOf(text, (list) => texts(list, identity)),
  uuids: listOf(fc.uuid(), (list) => uuids(list, identity)),
  integers: listOf(fc.integer(), (list) => integers(list, identity)),
  bigints: listOf(fc.maxSafeInteger(), (list) => bigints(list, identity), String),
  floats: listOf(fc.double({ noNaN: true, noDefaultInfinity: true }), (list) => floats(list, identity)),
  booleans: listOf(fc.boolean(), (list) => booleans(list, identity)),
  bytes: listOf(
    fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value)),
    (list) => bytes(list, identity),
  ),
  instants: listOf(date, (list) => instants(list, identity)),
  jsons: listOf(
    fc.dictionary(text, text, { maxKeys: 5 }),
    (list) => jsons(list, jsonOf),
    (value) => ({ ...value }),
  ),
};

it.each(Object.entries(COLUMNS))(
  'a binary array parameter passes %s to PostgreSQL unchanged',
  async (_, column) => {
    await fc.assert(
      fc.asyncProperty(column, async ({ column: given, expected }) => {
        const { rows } = await sql<{ value: unknown }>`
          select value from unnest(${given}) with ordinality u (value, place) order by place`.execute(db);
        expect(rows.map(({ value }) => value)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  },
);

it('a binary array parameter passes arrays inside texts to PostgreSQL unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(text, { maxLength: 5 }), { maxLength: 8 }), async (list) => {
      const { rows } = await sql<{ value: string[] }>`
        select value::text[] as value from unnest(${texts(list, arrayLiteral)}) with ordinality u (value, place)
        order by place`.execute(db);
      expect(rows.map(({ value }) => value)).toEqual(list);
    }),
    { numRuns: 40 },
  );
});

it.each([
  '',
  'x',
  '0199a2b4-7c1d-7e55-9f3b-00000000000g',
  '0199a2b47c1d7e559f3b000000000000',
  '0199a2b4+7c1d-7e55-9f3b-000000000000',
])('a binary array parameter refuses %j as a UUID', (value) => {
  expect(() => uuids([value], identity)).toThrow('not a UUID');
});
