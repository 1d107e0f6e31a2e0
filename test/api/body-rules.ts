/** The parts of a schema of the API document that state a rule for a field of a body. */
export interface Rules {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Rules>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Rules[];
  readonly items?: Rules;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A body with one field whose value is just inside a rule, or just outside. */
export interface RuledBody {
  readonly field: string;
  readonly value: unknown;
  readonly isValid: boolean;
  readonly body: object;
}

/** A longer text exists only as a limit of the whole body. */
const LONGEST = 10_000;
const SUSPECTS = [
  '',
  ' ',
  'a b',
  'a:b',
  'a\nb',
  '\u0000',
  'a\u0085',
  '2030-01-01',
  '2031-01-01T00:00:00',
  'ä',
];

const times = (count: number): string[] => ['x'.repeat(count), '💶'.repeat(count)];

/** Values just inside and just outside the rules. A value of a pattern or a format is never known to be inside. */
function valuesFor(rules: Rules): { inside: unknown[]; outside: unknown[] } {
  const types = [rules.type ?? []].flat();
  const outside: unknown[] = [{ some: 'object' }];
  const inside: unknown[] = [];
  if (!types.includes('null')) outside.push(null);
  if (!types.includes('boolean')) outside.push(true);
  if (!types.includes('integer')) outside.push(7);
  if (types.includes('integer')) {
    const { minimum = 0, maximum = 0 } = rules;
    outside.push(minimum - 1, maximum + 1, minimum + 0.5, String(minimum));
    inside.push(minimum, maximum);
  }
  if (types.includes('array')) {
    const { minItems = 0, maxItems = LONGEST } = rules;
    if (minItems > 0) outside.push([]);
    if (maxItems < LONGEST) outside.push(Array.from({ length: maxItems + 1 }, (_, index) => String(index)));
    // Without a type the items are checked one by one, each with its own answer.
    if (rules.items?.type !== undefined) outside.push(['x', 'x'], [null]);
  }
  if (types.includes('string') && rules.enum !== undefined) outside.push('none of these', '');
  else if (types.includes('string')) {
    const { minLength = 0, maxLength = LONGEST, pattern, format } = rules;
    if (minLength > 0) outside.push(...times(minLength - 1));
    if (maxLength < LONGEST) outside.push(...times(maxLength + 1));
    if (pattern !== undefined) {
      const matches = new RegExp(pattern, 'u');
      outside.push(...SUSPECTS.filter((text) => !matches.test(text)));
    } else if (format === undefined) {
      inside.push(...times(Math.max(1, minLength)), ...(maxLength < LONGEST ? times(maxLength) : []));
    }
  }
  return { inside, outside };
}

/** Every rule of a body's fields, on both sides, in bodies that are otherwise the example. */
export function ruledBodies(
  schemas: Readonly<Record<string, Rules>>,
  rules: Rules,
  example: object,
): RuledBody[] {
  const { $ref, properties = {}, required = [] } = rules;
  if ($ref !== undefined) {
    const found = schemas[$ref.slice('#/components/schemas/'.length)];
    return found === undefined ? [] : ruledBodies(schemas, found, example);
  }
  const given: Readonly<Record<string, unknown>> = { ...example };
  const unknown = { field: 'colour', value: 'red', isValid: false, body: { ...example, colour: 'red' } };
  const absent = required.map((field) => {
    const { [field]: _value, ...body } = given;
    return { field, value: undefined, isValid: false, body };
  });
  const ofFields = Object.entries(properties).flatMap(([field, own]): RuledBody[] => {
    const inner = own.$ref === undefined ? undefined : given[field];
    if (typeof inner === 'object' && inner !== null)
      return ruledBodies(schemas, own, inner).map((below) => ({
        ...below,
        field: `${field}.${below.field}`,
        body: { ...example, [field]: below.body },
      }));
    if (own.type === undefined) return [];
    const { inside, outside } = valuesFor(own);
    return [
      ...inside.map((value) => ({ field, value, isValid: true, body: { ...example, [field]: value } })),
      ...outside.map((value) => ({ field, value, isValid: false, body: { ...example, [field]: value } })),
    ];
  });
  return [unknown, ...absent, ...ofFields];
}
