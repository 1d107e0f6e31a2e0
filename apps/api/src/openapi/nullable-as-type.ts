/**
 * Replaces `nullable: true`, which @nestjs/swagger writes, by the form of OpenAPI 3.1: `null` among the types and in
 * the enum. Changes the value in place and returns it.
 */
export function nullableAsType<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) nullableAsType(inner);
  if ('nullable' in value && value.nullable === true && 'type' in value && typeof value.type === 'string') {
    value.type = [value.type, 'null'];
    if ('enum' in value && Array.isArray(value.enum)) value.enum = [...value.enum, null];
    delete value.nullable;
  }
  return value;
}
