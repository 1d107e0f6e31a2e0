import type { EventType } from '#libs/contracts';
import { nameOf, schemasBelow, type ApiDocument, type Schema } from './api-document.js';

export const JSON_SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** A JSON Schema of its own: what it refers to is in `$defs`. */
export interface SchemaFile extends Schema {
  readonly $schema: string;
  readonly title: string;
  readonly $defs: Readonly<Record<string, Schema>>;
  readonly examples: readonly unknown[];
}

/** The JSON Schema of the notifications of one type, made from the webhook in the OpenAPI document. */
export function schemaFile(
  { webhooks, components: { schemas } }: ApiDocument,
  eventType: EventType,
): SchemaFile {
  const { schema = {}, example } =
    webhooks?.[eventType]?.['post']?.requestBody?.content?.['application/json'] ?? {};
  const own = schemas[nameOf(schema) ?? ''] ?? schema;
  const needed = schemasBelow(own, schemas);
  const $defs = Object.entries(schemas).filter(([, one]) => one !== own && needed.has(one));
  const file: SchemaFile = {
    $schema: JSON_SCHEMA_DIALECT,
    title: eventType,
    ...own,
    $defs: Object.fromEntries($defs),
    examples: [example],
  };
  const text = JSON.stringify(file).replaceAll('"#/components/schemas/', '"#/$defs/');
  const made: SchemaFile = JSON.parse(text);
  return made;
}
