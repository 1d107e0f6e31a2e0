import { schemasBelow, type ApiDocument } from './api-document.js';

/**
 * The document for a consumer's own people: the notifications, the operations that the role `consumer` may call, and the
 * schemas that these need. A sign-in is absent: a reader of this document has a key or a session.
 */
export function documentOfConsumer(document: ApiDocument): ApiDocument {
  const paths: ApiDocument['paths'] = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    const own = Object.entries(methods).filter(([, operation]) => operation['x-roles']?.includes('consumer'));
    if (own.length > 0) paths[path] = Object.fromEntries(own);
  }
  const needed = schemasBelow([paths, document.webhooks], document.components.schemas);
  const schemas = Object.entries(document.components.schemas).filter(([, schema]) => needed.has(schema));
  const used = new Set(
    Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags = [] }) => tags)),
  );
  return {
    ...document,
    tags: document.tags.filter(({ name }) => used.has(name)),
    paths,
    components: { ...document.components, schemas: Object.fromEntries(schemas) },
  };
}
