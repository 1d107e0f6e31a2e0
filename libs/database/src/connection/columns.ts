import { sql, type RawBuilder } from 'kysely';

/**
 * Arrays as columns for `unnest`. One parameter for each column keeps a statement's text, and so its prepared plan, the
 * same for any number of rows. They are sent in PostgreSQL's binary form (`array_send`): quoting, escaping and parsing
 * whole envelopes as text took an eighth of PostgreSQL's processor time for a delivery.
 */
type Column = RawBuilder<unknown>;

/** Binary form of one type's values. `oid` is the type's id in `pg_type`, the same in every PostgreSQL. */
interface Codec<V> {
  readonly name: string;
  readonly oid: number;
  sizeOf(value: V): number;
  write(into: Buffer, at: number, value: V): void;
}

/** Makes a column for Kysely's templates, or the same as a parameter of a text statement. */
interface ColumnMaker<V> {
  <T>(rows: readonly T[], pick: (row: T) => V | null): Column;
  /** The bytes for `$n::type[]`. */
  binary<T>(rows: readonly T[], pick: (row: T) => V | null): Buffer;
}

function columnOf<V>(codec: Codec<V>): ColumnMaker<V> {
  const binary = <T>(rows: readonly T[], pick: (row: T) => V | null): Buffer =>
    encoded(codec, rows.map(pick));
  return Object.assign(
    <T>(rows: readonly T[], pick: (row: T) => V | null): Column =>
      sql`${binary(rows, pick)}::${sql.raw(codec.name)}[]`,
    { binary },
  );
}

/** One dimension with lower bound 1; each value is its length and its bytes, or -1 for null. */
function encoded<V>(codec: Codec<V>, values: readonly (V | null)[]): Buffer {
  const sizes = values.map((value) => (value === null ? -1 : codec.sizeOf(value)));
  const dimensions = values.length === 0 ? 0 : 1;
  const header = 12 + 8 * dimensions;
  const buffer = Buffer.allocUnsafe(sizes.reduce((bytes, size) => bytes + 4 + Math.max(0, size), header));
  buffer.writeInt32BE(dimensions, 0);
  buffer.writeInt32BE(sizes.includes(-1) ? 1 : 0, 4);
  buffer.writeInt32BE(codec.oid, 8);
  if (dimensions === 1) {
    buffer.writeInt32BE(values.length, 12);
    buffer.writeInt32BE(1, 16);
  }
  let at = header;
  values.forEach((value, index) => {
    const size = sizes[index] ?? -1;
    buffer.writeInt32BE(size, at);
    at += 4;
    if (value === null) return;
    codec.write(buffer, at, value);
    at += size;
  });
  return buffer;
}

export const texts = columnOf<string>({
  name: 'text',
  oid: 25,
  sizeOf: (value) => Buffer.byteLength(value),
  write: (into, at, value) => into.write(value, at),
});

/** UUIDs in the usual form: 36 characters, hexadecimal. */
export const uuids = columnOf<string>({
  name: 'uuid',
  oid: 2950,
  sizeOf: () => 16,
  write: (into, at, value) => {
    if (value.length !== 36) throw new Error('not a UUID');
    let read = 0;
    for (let index = 0; index < 16; index += 1) {
      if (DASHES_AT.has(read)) {
        if (value[read] !== '-') throw new Error('not a UUID');
        read += 1;
      }
      const byte = nibble(value, read) * 16 + nibble(value, read + 1);
      if (Number.isNaN(byte)) throw new Error('not a UUID');
      into[at + index] = byte;
      read += 2;
    }
  },
});

const DASHES_AT = new Set([8, 13, 18, 23]);
const NIBBLES = Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16));
const nibble = (text: string, index: number): number => NIBBLES[text.charCodeAt(index)] ?? Number.NaN;

/** Whole numbers of 32 bits. */
export const integers = columnOf<number>({
  name: 'integer',
  oid: 23,
  sizeOf: () => 4,
  write: (into, at, value) => into.writeInt32BE(value, at),
});

/** Whole numbers, up to the largest that a JavaScript number holds exactly. */
export const bigints = columnOf<number>({
  name: 'bigint',
  oid: 20,
  sizeOf: () => 8,
  write: (into, at, value) => writeInt64(into, at, value),
});

export const floats = columnOf<number>({
  name: 'float8',
  oid: 701,
  sizeOf: () => 8,
  write: (into, at, value) => into.writeDoubleBE(value, at),
});

export const booleans = columnOf<boolean>({
  name: 'boolean',
  oid: 16,
  sizeOf: () => 1,
  write: (into, at, value) => into.writeUInt8(value ? 1 : 0, at),
});

export const bytes = columnOf<Buffer>({
  name: 'bytea',
  oid: 17,
  sizeOf: (value) => value.length,
  write: (into, at, value) => value.copy(into, at),
});

/** PostgreSQL's epoch: a timestamptz is the number of microseconds since then. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

export const instants = columnOf<Date>({
  name: 'timestamptz',
  oid: 1184,
  sizeOf: () => 8,
  write: (into, at, value) => writeInt64(into, at, (value.getTime() - EPOCH_MS) * 1_000),
});

/** JSON text, after the byte with the version of jsonb's binary form. */
export const jsons = columnOf<string>({
  name: 'jsonb',
  oid: 3802,
  sizeOf: (value) => 1 + Buffer.byteLength(value),
  write: (into, at, value) => {
    into.writeUInt8(1, at);
    into.write(value, at + 1);
  },
});

function writeInt64(into: Buffer, at: number, value: number): void {
  into.writeInt32BE(Math.floor(value / 2 ** 32), at);
  into.writeUInt32BE(value - Math.floor(value / 2 ** 32) * 2 ** 32, at + 4);
}

/** PostgreSQL's literal form of an array, as a value in a column of texts: `unnest` would flatten a nested array. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
}
