import { EVENT_TYPES, INSTANT_PATTERN } from '#libs/contracts';
import { MAX_BATCH_BODY_BYTES } from '../access/request-limits.js';
import { nameOf, operationsOf, schemasBelow, type ApiDocument, type Schema } from './api-document.js';

const UUID: Schema = { type: 'string', format: 'uuid', maxLength: 36 };
const PATH_PARAMETERS: Readonly<Record<string, Schema>> = {
  id: UUID,
  keyId: UUID,
  linkId: UUID,
  notificationId: UUID,
  version: { type: 'integer', minimum: 1, maximum: 999_999_999 },
  name: { type: 'string', enum: [...EVENT_TYPES] },
  paymentId: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Maximum length of an instant: with nine digits of a second and an offset. */
const LONGEST_INSTANT = '2025-11-20T09:30:00.123456789+00:00'.length;
const LONGEST_DATE = '2025-11-20'.length;

/**
 * Documents the checks of every request in addition to the rules of its fields: unknown fields are refused (answers
 * can gain fields), and no text or list is longer than the largest body. Changes the document in place.
 */
export function boundRequests(document: ApiDocument): void {
  const { schemas } = document.components;
  for (const { requestBody, parameters = [] } of operationsOf(document)) {
    for (const schema of schemasBelow(requestBody?.content, schemas)) {
      if (schema.properties !== undefined) schema.additionalProperties = false;
      bound(schema);
    }
    for (const parameter of parameters) {
      const known = parameter.in === 'path' ? PATH_PARAMETERS[parameter.name] : undefined;
      if (known !== undefined) parameter.schema = known;
      for (const schema of schemasBelow(parameter.schema, schemas)) bound(schema);
    }
  }
}

function bound(schema: Schema): void {
  if (schema.enum !== undefined || nameOf(schema) !== undefined) return;
  const types = [schema.type].flat();
  if (types.includes('string')) schema.maxLength ??= longest(schema);
  if (types.includes('array')) schema.maxItems ??= MAX_BATCH_BODY_BYTES;
}

function longest({ pattern, format }: Schema): number {
  if (pattern === INSTANT_PATTERN) return LONGEST_INSTANT;
  if (format === 'date') return LONGEST_DATE;
  return format === 'uuid' ? 36 : MAX_BATCH_BODY_BYTES;
}
