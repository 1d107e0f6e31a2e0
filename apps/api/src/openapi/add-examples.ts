import { problem, PROBLEM_MEDIA_TYPE } from '#libs/contracts';
import {
  nameOf,
  operationsOf,
  type ApiDocument,
  type Media,
  type Operation,
  type Schema,
} from './api-document.js';
import { BY_FIELD, BY_FORMAT, BY_SCHEMA } from './example-values.js';

type Schemas = Readonly<Record<string, Schema>>;

/**
 * Adds an example to every JSON body and answer. Its values are those of the schema, the field or the format in
 * `example-values.ts`, otherwise the minimum that the schema allows. A schema with alternatives gets one example of
 * each. Changes the document in place.
 */
export function addExamples(document: ApiDocument): void {
  const { schemas } = document.components;
  const webhooks = Object.values(document.webhooks ?? {}).flatMap(Object.values<Operation>);
  for (const { requestBody, responses } of [...operationsOf(document), ...webhooks]) {
    illustrate(requestBody?.content?.['application/json'], schemas);
    for (const [status, { description = '', content }] of Object.entries(responses)) {
      illustrate(content?.['application/json'], schemas);
      const refusal = content?.[PROBLEM_MEDIA_TYPE];
      if (refusal !== undefined)
        refusal.example = problem({ status: Number(status), detail: description, requestId: BY_FORMAT.uuid });
    }
  }
}

function illustrate(media: Media | undefined, schemas: Schemas): void {
  if (media?.schema === undefined) return;
  const alternatives = resolved(media.schema, schemas).oneOf;
  if (alternatives === undefined) media.example = exampleOf(media.schema, schemas);
  else
    media.examples = Object.fromEntries(
      alternatives.map((one) => [nameOf(one) ?? '', { value: exampleOf(one, schemas) }]),
    );
}

/** @param field name of the field that the schema describes */
function exampleOf(schema: Schema, schemas: Schemas, field = ''): unknown {
  const found = resolved(schema, schemas);
  if (found.properties !== undefined) return objectOf(found, schemas, BY_SCHEMA[nameOf(schema) ?? '']);
  if (found.example !== undefined) return found.example;
  if (field in BY_FIELD && allows(found, BY_FIELD[field])) return BY_FIELD[field];
  const [first] = found.oneOf ?? found.allOf ?? found.anyOf ?? [];
  return first === undefined ? leastOf(found, schemas) : exampleOf(first, schemas, field);
}

/** @param values fields with given values; optional fields without a value are then omitted */
function objectOf({ properties = {}, required = [] }: Schema, schemas: Schemas, values?: object): object {
  const own = new Map<string, unknown>(Object.entries(values ?? {}));
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([field]) => values === undefined || own.has(field) || required.includes(field))
      .map(([field, schema]) => {
        if (!own.has(field)) return [field, exampleOf(schema, schemas, field)];
        const value = own.get(field);
        const hasFields = resolved(schema, schemas).properties !== undefined;
        return [field, hasFields ? Object.assign({}, exampleOf(schema, schemas, field), value) : value];
      }),
  );
}

function leastOf({ type, enum: values, format, items, minimum = 0 }: Schema, schemas: Schemas): unknown {
  const types = [type].flat();
  if (types.includes('null')) return null;
  if (values !== undefined) return values[0];
  if (format === 'uuid' || format === 'date-time' || format === 'uri') return BY_FORMAT[format];
  if (types.includes('array')) return items === undefined ? [] : [exampleOf(items, schemas)];
  if (types.includes('boolean')) return false;
  if (types.includes('integer') || types.includes('number')) return minimum;
  return types.includes('object') ? {} : 'text';
}

function allows({ type, anyOf }: Schema, value: unknown): boolean {
  const types = [type, ...(anyOf ?? []).map((one) => one.type)].flat();
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  return types.includes(typeof value === 'number' ? 'integer' : typeof value);
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = nameOf(schema);
  return name === undefined ? schema : (schemas[name] ?? {});
}
