import type { Role } from '#libs/contracts';

/** The keywords of JSON Schema that this folder reads or writes. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  example?: unknown;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  minProperties?: number;
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
  headers?: Record<string, { description: string; schema: Schema }>;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  /** The roles that may call the operation, without the roles that include them; absent: no key is needed. */
  'x-roles'?: Role[];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: Schema;
    example?: unknown;
  }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
  /** Alternatives, each by its schemes; empty: nothing is asked for. */
  security?: Record<string, string[]>[];
}

/** An OpenAPI 3.1 document as JSON. */
export interface ApiDocument {
  openapi: string;
  info: { title: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  /** What consumers receive, by the type of the event. */
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
}

const PREFIX = '#/components/schemas/';

export const referenceTo = (name: string): string => `${PREFIX}${name}`;

/** Name of the referenced schema; undefined for an inline schema. */
export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.slice(PREFIX.length);

export const operationsOf = ({ paths }: ApiDocument): Operation[] =>
  Object.values(paths).flatMap(Object.values);

/** Yields every schema below a value once, including referenced ones. */
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
