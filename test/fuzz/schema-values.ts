import fc, { type Arbitrary } from 'fast-check';
import { hostileValue } from '#test/fuzz/hostile-values';

/** The keywords of an OpenAPI 3.1 schema that the fuzzer reads. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly example?: unknown;
}
export type Schemas = Readonly<Record<string, Schema>>;

/** No request reaches them: the address guard refuses loopback addresses by default. */
const CONSUMER_URLS = ['https://127.0.0.1/hook', 'https://127.0.0.1:8443/a/b?c=%20', 'https://[::1]/'];

/** Values that match a schema. The fuzzer is to find the rules that no schema expresses. */
export function valuesOf(schema: Schema, schemas: Schemas): Arbitrary<unknown> {
  const { $ref, allOf, anyOf, oneOf } = schema;
  if ($ref !== undefined) return valuesOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  const parts = allOf ?? anyOf ?? oneOf;
  if (parts !== undefined) return fc.oneof(...parts.map((part) => valuesOf(part, schemas)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch ([schema.type].flat()[0] ?? 'anything') {
    case 'string':
      return texts(schema);
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1) });
    case 'boolean':
      // True is rare: a consumer with allPayments gets a delivery of each event.
      return fc.nat(19).map((nat) => nat === 0);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, schemas), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 5, 5)),
      });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, valuesOf(inner, schemas)]),
        ),
        { requiredKeys: [...(schema.required ?? [])] },
      );
    default:
      return hostileValue;
  }
}

function texts({ format, pattern, minLength = 0, maxLength = 30, example }: Schema): Arbitrary<string> {
  const instances = typeof example === 'string' ? [fc.constant(example)] : [];
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.constantFrom(...CONSUMER_URLS);
  if (format === 'date-time') {
    const [min, max] = [new Date('2024-01-01'), new Date('2101-01-01')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (pattern !== undefined && instances.length > 0) return fc.oneof(...instances);
  const any = fc.string({
    unit: 'grapheme-ascii',
    minLength,
    maxLength: Math.min(maxLength, minLength + 30),
  });
  return fc.oneof(any, ...instances);
}

/** A change at one place of a value. */
export interface Mutation {
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'add' | 'repeat';
  readonly by: unknown;
}
export const mutations: Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'repeat'),
  by: hostileValue,
});

/** A copy with one change; `at` selects the place among all places of the value. */
export function mutated(value: unknown, { at, how, by }: Mutation): unknown {
  // Through JSON, because a structured clone overflows the stack at deep values.
  const root: { value?: unknown } = JSON.parse(JSON.stringify({ value }));
  const places: { parent: Record<string, unknown>; key: string }[] = [];
  const collect = (parent: object): void => {
    for (const key of Object.keys(parent)) {
      const record: Record<string, unknown> = Object.assign(parent);
      places.push({ parent: record, key });
      const inner = record[key];
      if (typeof inner === 'object' && inner !== null && places.length < 1_000) collect(inner);
    }
  };
  collect(root);
  const place = places[at % places.length];
  if (place === undefined) return root.value;
  const { parent, key } = place;
  if (how === 'remove') delete parent[key];
  else if (how === 'add') parent[`${key}X`] = by;
  else if (how === 'repeat') parent[key] = [parent[key], parent[key]];
  else parent[key] = by;
  return root.value;
}
