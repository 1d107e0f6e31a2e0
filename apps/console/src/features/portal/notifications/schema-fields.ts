/** The keywords of JSON Schema in the schemas of the notifications. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly $ref?: string;
}

/** The schema of a notification with an example of it. */
export interface NotificationSchema extends JsonSchema {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
  readonly examples: readonly unknown[];
}

/** One field of a notification. */
export interface SchemaField {
  /** `data.achEventInfo.amount`; `[]` follows the name of a list. */
  readonly path: string;
  /** The type, or the values of a closed list. */
  readonly value: string;
  /** Whether it is in every object that it belongs to. */
  readonly isRequired: boolean;
  readonly about: string;
}

/** Every field of a notification, in its order, each object before its fields. */
export function fieldsOf({ $defs, ...schema }: NotificationSchema): SchemaField[] {
  const resolved = ({ allOf, $ref, ...rest }: JsonSchema): JsonSchema => {
    const reference = $ref ?? allOf?.[0]?.$ref;
    return { ...(reference === undefined ? {} : $defs[reference.replace('#/$defs/', '')]), ...rest };
  };
  const below = ({ properties = {}, required = [] }: JsonSchema, prefix: string): SchemaField[] =>
    Object.entries(properties).flatMap(([name, property]) => {
      const { type = 'string', enum: values, items, description = '', ...object } = resolved(property);
      const path = `${prefix}${name}${items === undefined ? '' : '[]'}`;
      const field = {
        path,
        value: values?.join(', ') ?? (type === 'array' ? 'list' : type),
        isRequired: required.includes(name),
        about: description,
      };
      return [field, ...below(items === undefined ? object : resolved(items), `${path}.`)];
    });
  return below(schema, '');
}
