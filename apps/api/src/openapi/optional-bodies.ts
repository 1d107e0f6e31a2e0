import { nameOf, operationsOf, type ApiDocument } from './api-document.js';

/** Bodies without a required field that need at least one field all the same. */
const NEEDS_A_FIELD: readonly string[] = [
  'AddCredentialsDto',
  'AddPortalCredentialsDto',
  'ExplainSignatureDto',
];

/**
 * Documents which bodies may be missing. A missing body is read as `{}` (`ContractValidationPipe`), so it is required
 * exactly where its schema refuses `{}`. @nestjs/swagger documents every body as required. In place.
 */
export function documentOptionalBodies(document: ApiDocument): void {
  const { schemas } = document.components;
  for (const name of NEEDS_A_FIELD) Object.assign(schemas[name] ?? {}, { minProperties: 1 });
  for (const { requestBody } of operationsOf(document)) {
    const { schema } = requestBody?.content?.['application/json'] ?? {};
    if (requestBody === undefined || schema === undefined) continue;
    const { required, minProperties, oneOf } = schemas[nameOf(schema) ?? ''] ?? schema;
    requestBody.required = required !== undefined || minProperties !== undefined || oneOf !== undefined;
  }
}
