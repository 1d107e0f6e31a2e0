import { describe, expect, it } from 'vitest';
import { ruledBodies, type Rules } from '#test/api/body-rules';
import { pathWith, unknownIds } from '#test/api/portal-walk';
import type { ApiClient } from '#test/support/api-client';
import { operationsOf, printedDocument, type ApiDocument } from '#test/support/api-document';
import { portalClient } from '#test/support/portal-client';
import { registration } from '#test/support/registration';
import { System } from '#test/support/system';

interface RuledDocument extends ApiDocument {
  readonly components: { schemas: Record<string, object & Rules> };
}
/** test/api/document.spec.ts checks its schema, which is a choice. */
const CHOICE = 'postEvent';
/** Fields with rules that a schema cannot state: a value inside the documented ones can still be refused. */
const MORE_RULES = ['caCertificate', 'body', 'signature', 'credentialVersion'];

const [system, document] = await Promise.all([
  System.start({ backend: 'redis', workers: 0 }),
  printedDocument<RuledDocument>(),
]);

/** A client for one operation: each consumer may change only so much in a minute. */
async function clientFor(path: string): Promise<ApiClient> {
  if (!path.startsWith('/v1/portal')) return system.client;
  const { id } = await system.client.registerConsumer(registration());
  return portalClient(system, id);
}

const withBody = operationsOf(document).flatMap(({ method, path, operation }) => {
  const { schema, example, examples = {} } = operation.requestBody?.content['application/json'] ?? {};
  if (schema === undefined || operation.operationId === CHOICE) return [];
  const shown: object = Object(example ?? Object.values(examples)[0]?.value);
  return [{ method, path, operationId: operation.operationId, schema, example: shown }];
});

describe('rules of bodies', () => {
  it.each(withBody)(
    '$operationId refuses a body exactly beyond the documented rule of a field, and names the field; an unknown id is 404',
    async ({ method, path, schema, example }) => {
      const client = await clientFor(path);
      const url = pathWith(path, unknownIds());
      const call = (body: object) => client.call<{ errors?: { field: string }[] } | null>(method, url, body);
      // Without what the example shows of another time or another kind.
      const untimely = (await call(example)).body?.errors?.map((fault) => fault.field) ?? [];
      const shown = Object.fromEntries(
        Object.entries(example).filter(([field]) => !untimely.includes(field)),
      );
      const faults: unknown[] = [];
      const { status: ofUnknownId } = await call(shown);
      if (path.includes('{') && ofUnknownId !== 404) faults.push({ path, ofUnknownId });
      for (const { field, value, isValid, body } of ruledBodies(document.components.schemas, schema, shown)) {
        if (isValid && MORE_RULES.includes(field)) continue;
        const { status, body: problem } = await call(body);
        const isNamed = problem?.errors?.some((fault) => fault.field.startsWith(field)) === true;
        const isExpected = isValid ? !isNamed : status === 413 || (status === 422 && isNamed);
        if (!isExpected) faults.push({ field, value, isValid, status, problem });
      }
      expect(faults).toEqual([]);
    },
  );

  it('every operation with a body has rules that are checked', () => {
    expect(withBody.length).toBeGreaterThan(30);
    for (const { operationId, schema, example } of withBody)
      expect([operationId, ruledBodies(document.components.schemas, schema, example).length]).not.toEqual([
        operationId,
        0,
      ]);
  });
});
