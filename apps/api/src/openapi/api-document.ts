/** The parts of a JSON Schema that are read or written here. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  example?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

/** A body in one format. */
export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Content {
  description?: string;
  content?: Record<string, Media>;
}

export interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

/** An OpenAPI 3.1 document as JSON. */
export interface ApiDocument {
  openapi: string;
  info: { title: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const PREFIX = '#/components/schemas/';

export const referenceTo = (name: string): string => `${PREFIX}${name}`;

/** The name of the schema that is referred to; undefined for a schema that is written out. */
export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.slice(PREFIX.length);

export const operationsOf = ({ paths }: ApiDocument): Operation[] =>
  Object.values(paths).flatMap(Object.values);

/** Every schema below a value, those that it refers to included, each once. */
export function schemasBelow(value: unknown, schemas: Readonly<Record<string, Schema>>): Set<Schema> {
  const found = new Set<Schema>();
  const follow = (inner: unknown): void => {
    if (typeof inner !== 'object' || inner === null || found.has(inner)) return;
    found.add(inner);
    const name = nameOf(inner);
    if (name !== undefined) follow(schemas[name]);
    for (const part of Object.values(inner)) follow(part);
  };
  follow(value);
  return found;
}
