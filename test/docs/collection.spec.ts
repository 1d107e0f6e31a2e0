import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DocumentChecker, operationsOf, printedDocument } from '#test/support/api-document';
import { System } from '#test/support/system';

/** The parts of a Postman collection (format 2.1) that a client sends. */
interface Folder {
  readonly item: readonly (Folder | { readonly name: string; readonly request: CollectedRequest })[];
}
interface CollectedRequest {
  readonly method: string;
  readonly url: { readonly path: readonly string[] };
  readonly header?: readonly { readonly key: string; readonly value: string; readonly disabled?: boolean }[];
  readonly body?: { readonly raw?: string };
  readonly auth?: { readonly bearer?: readonly { readonly value: string }[] };
}

const requestsIn = ({ item }: Folder): CollectedRequest[] =>
  item.flatMap((one) => ('item' in one ? requestsIn(one) : [one.request]));
/** The path in the notation of OpenAPI. */
const pathOf = ({ url }: CollectedRequest): string =>
  `/${url.path.map((part) => part.replace(/^:(\w+)$/, '{$1}')).join('/')}`;
const spelled = (request: CollectedRequest): string => `${request.method} ${pathOf(request)}`;

const collection: Folder = JSON.parse(readFileSync('docs/collection.json', 'utf8'));
const requests = requestsIn(collection);
const document = await printedDocument();

describe('docs/collection.json', () => {
  it('the collection has one request for each operation, with a valid body; otherwise run npm run collection', () => {
    const operations = operationsOf(document);
    const documented = operations.map(({ method, path }) => `${method} ${path}`);
    expect(requests.map(spelled).toSorted()).toEqual(documented.toSorted());
    const checker = new DocumentChecker(document);
    let checked = 0;
    for (const { method, path, operation } of operations) {
      const { schema } = operation.requestBody?.content['application/json'] ?? {};
      if (schema === undefined) continue;
      const raw = requests.find((one) => spelled(one) === `${method} ${path}`)?.body?.raw ?? '';
      expect([method, path, checker.requestFaults(method, path, JSON.parse(raw))]).toEqual([
        method,
        path,
        [],
      ]);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(20);
  });

  it('requests of the collection are accepted by the API with the address and the key filled in', async () => {
    const { api, adminKey } = await System.shared(0);
    const send = async (wanted: string): Promise<number> => {
      const request = requests.find((one) => spelled(one) === wanted);
      if (request === undefined) throw new Error(`the collection has no ${wanted}`);
      const { method, header = [], body, auth } = request;
      expect(auth?.bearer).toMatchObject([{ value: '{{bearerToken}}' }]);
      const sent = header.filter(({ disabled }) => disabled !== true).map(({ key, value }) => [key, value]);
      const { status } = await fetch(`${api.baseUrl}${pathOf(request)}`, {
        method,
        headers: { ...Object.fromEntries(sent), authorization: `Bearer ${adminKey}` },
        ...(body?.raw === undefined ? {} : { body: body.raw }),
      });
      return status;
    };
    expect(await send('POST /v1/events')).toBe(202);
    expect(await send('POST /v1/events/batch')).toBe(202);
    expect(await send('GET /v1/events')).toBe(200);
  });
});
