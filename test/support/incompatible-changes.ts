import { compareOpenApi } from 'api-smart-diff';

/**
 * What a later OpenAPI document breaks of an earlier one. api-smart-diff classifies each difference, depending on whether
 * the schema is of a request or of an answer. It permits two changes that docs/contract.md excludes: a field that is
 * gone, and a field of another type.
 */
export function incompatibleChanges(before: object, after: object): string[] {
  // The tool changes the documents that it compares.
  const { diffs } = compareOpenApi(structuredClone(before), structuredClone(after), { notMergeAllOf: true });
  return diffs
    .filter(({ path }) => path[0] === 'paths')
    .filter(({ type, action, path }) => {
      const isGone = path.at(-2) === 'properties' && action === 'remove';
      const isOtherType = ['type', 'format'].includes(String(path.at(-1))) && action === 'replace';
      return type === 'breaking' || isGone || isOtherType;
    })
    .map(({ action, path }) => `${action} ${path.join(' ')}`);
}

/** A document with the JSON Schema of a notification where the tool expects what a client receives: in an answer. */
export const asAnswer = (schema: { $defs?: object }): object => ({
  openapi: '3.1.0',
  paths: { '/': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } } },
  $defs: schema.$defs,
});
