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

/** The values of a column as PostgreSQL receives them: the text of each, in order. */
async function received(column: RawBuilder<unknown>, type = 'text'): Promise<(string | null)[]> {
  const { rows } = await sql<{ value: string | null }>`
    select value::${sql.raw(type)}::text as value from unnest(${column}) with ordinality u (value, place) order by place`.execute(
    db,
  );
  return rows.map((row) => row.value);
}

const check = <T>(property: fc.IAsyncProperty<T>): Promise<void> => fc.assert(property, { numRuns: 40 });
const identity = <V>(value: V): V => value;
const listOf = <V>(values: fc.Arbitrary<V>): fc.Arbitrary<(V | null)[]> =>
  fc.array(fc.option(values), { maxLength: 20 });
const text = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .filter((value) => !value.includes('\u0000') && value.isWellFormed());

it.each([
  [
    'texts',
    () =>
      check(
        fc.asyncProperty(listOf(text), async (v) => {
          expect(await received(texts(v, identity))).toEqual(v);
        }),
      ),
  ],
  [
    'uuids',
    () =>
      check(
        fc.asyncProperty(listOf(fc.uuid()), async (v) => {
          expect(await received(uuids(v, identity))).toEqual(v);
        }),
      ),
  ],
  [
    'integers',
    () =>
      check(
        fc.asyncProperty(listOf(fc.integer()), async (v) => {
          expect(await received(integers(v, identity))).toEqual(v.map((n) => n?.toString() ?? null));
        }),
      ),
  ],
  [
    'bigints',
    () =>
      check(
        fc.asyncProperty(listOf(fc.maxSafeInteger()), async (v) => {
          expect(await received(bigints(v, identity))).toEqual(v.map((n) => n?.toString() ?? null));
        }),
      ),
  ],
  [
    'floats',
    () =>
      check(
        fc.asyncProperty(listOf(fc.double({ noNaN: true, noDefaultInfinity: true })), async (v) => {
          expect((await received(floats(v, identity))).map((n) => (n === null ? null : Number(n)))).toEqual(
            v,
          );
        }),
      ),
  ],
  [
    'booleans',
    () =>
      check(
        fc.asyncProperty(listOf(fc.boolean()), async (v) => {
          expect(await received(booleans(v, identity))).toEqual(v.map((b) => b?.toString() ?? null));
        }),
      ),
  ],
  [
    'bytes',
    () =>
      check(
        fc.asyncProperty(listOf(fc.uint8Array({ maxLength: 40 })), async (v) => {
          expect(await received(bytes(v, (b) => (b === null ? null : Buffer.from(b))))).toEqual(
            v.map((b) => (b === null ? null : `\\x${Buffer.from(b).toString('hex')}`)),
          );
        }),
      ),
  ],
  [
    'instants',
    () =>
      check(
        fc.asyncProperty(
          listOf(fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })),
          async (v) => {
            const { rows } = await sql<{ at: Date | null }>`
            select at from unnest(${instants(v, identity)}) with ordinality u (at, place) order by place`.execute(
              db,
            );
            expect(rows.map((row) => row.at?.toISOString() ?? null)).toEqual(
              v.map((at) => at?.toISOString() ?? null),
            );
          },
        ),
      ),
  ],
  [
    'jsons',
    () =>
      check(
        fc.asyncProperty(listOf(fc.dictionary(text, text, { maxKeys: 5 })), async (v) => {
          const column = jsons(v, (value) => (value === null ? null : JSON.stringify(value)));
          expect((await received(column)).map((j): unknown => (j === null ? null : JSON.parse(j)))).toEqual(
            v.map((value): unknown => (value === null ? null : { ...value })),
          );
        }),
      ),
  ],
  [
    'arrays inside texts',
    () =>
      check(
        fc.asyncProperty(fc.array(fc.array(text, { maxLength: 5 }), { maxLength: 8 }), async (v) => {
          const { rows } = await sql<{ value: string[] }>`
          select value::text[] as value from unnest(${texts(v, arrayLiteral)}) with ordinality u (value, place) order by place`.execute(
            db,
          );
          expect(rows.map((row) => row.value)).toEqual(v);
        }),
      ),
  ],
])('a binary array parameter passes %s to PostgreSQL unchanged', async (_, checkProperty) => {
  await expect(checkProperty()).resolves.toBeUndefined();
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
