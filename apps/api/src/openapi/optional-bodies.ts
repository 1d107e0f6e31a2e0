import { nameOf, operationsOf, type ApiDocument } from './api-document.js';

/** A body without a required field that needs at least one field all the same. */
const NEEDS_A_FIELD = 'AddCredentialsDto';

/**
 * Documents which bodies may be missing. A missing body is read as `{}` (`ContractValidationPipe`), so it is required
 * exactly where its schema refuses `{}`. @nestjs/swagger documents every body as required. In place.
 */
export function documentOptionalBodies(document: ApiDocument): void {
  const { schemas } = document.components;
  Object.assign(schemas[NEEDS_A_FIELD] ?? {}, { minProperties: 1 });
  for (const { requestBody } of operationsOf(document)) {
    const { schema } = requestBody?.content?.['application/json'] ?? {};
    if (requestBody === undefined || schema === undefined) continue;
    const { required, minProperties, oneOf } = schemas[nameOf(schema) ?? ''] ?? schema;
    requestBody.required = required !== undefined || minProperties !== undefined || oneOf !== undefined;
  }
}
