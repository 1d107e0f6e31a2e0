import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const PREFIX = '#/components/schemas/';

/**
 * Says in the document what the api does: a field that a request's schema does not name is refused. Answers may
 * gain fields, so their schemas stay open.
 */
export function closeRequestSchemas(document: OpenAPIObject): OpenAPIObject {
  const schemas: Schemas = document.components?.schemas ?? {};
  const names = new Set<string>();
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string' || !inner.startsWith(PREFIX)) follow(inner);
      else if (!names.has(inner.slice(PREFIX.length))) {
        names.add(inner.slice(PREFIX.length));
        follow(schemas[inner.slice(PREFIX.length)]);
      }
    }
  };
  for (const path of Object.values(document.paths)) {
    for (const operation of [path.post, path.patch, path.put, path.delete]) follow(operation?.requestBody);
  }
  for (const name of names) {
    const schema = schemas[name];
    if (schema !== undefined && !('$ref' in schema)) schema.additionalProperties = false;
  }
  return document;
}
