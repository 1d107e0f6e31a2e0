import fc, { type Arbitrary } from 'fast-check';
import { achExample, wireExample } from '#libs/contracts';
import { hostileHeader, hostileText, hostileValue } from '#test/fuzz/hostile-values';
import { mutated, mutations, valuesOf, type Schema, type Schemas } from '#test/fuzz/schema-values';

/** The parts of an OpenAPI document that the fuzzer reads. */
export interface FuzzedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, FuzzedOperation>>>>;
  readonly components: { readonly schemas: Schemas };
}
interface FuzzedOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** One request. The ids that it refers to are chosen when it is sent, among those known by then. */
export interface FuzzedRequest {
  readonly operationId: string;
  readonly method: string;
  /** As in the document. */
  readonly template: string;
  /** The number of a known id, or a text. */
  readonly parameters: Readonly<Record<string, number | string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** 0 to 5: the admin's key. Then one number for each other key. The last number: no key. */
  readonly caller: number;
  readonly body: string | undefined;
}

/** Objects must be created more often than they are removed. 4 by default. */
const WEIGHTS: Readonly<Record<string, number>> = {
  postEvent: 12,
  postEventBatch: 6,
  registerConsumer: 8,
  removeConsumer: 1,
  revokeApiKey: 1,
  revokeConsumerKey: 1,
  signOut: 1,
  pauseSending: 1,
};

/** Requests for every operation of a document: valid ones, valid ones with one error, and hostile ones. */
export function fuzzedRequests({ paths, components }: FuzzedDocument): Arbitrary<FuzzedRequest> {
  const each = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      arbitrary: requestsOf(template, method.toUpperCase(), operation, components.schemas),
      weight: WEIGHTS[operation.operationId] ?? 4,
    })),
  );
  return fc.oneof(...each);
}

const oneHeader: Arbitrary<Record<string, string>> = fc
  .oneof(
    fc.tuple(fc.constantFrom('idempotency-key', 'origin', 'cookie', 'x-forwarded-for'), hostileHeader),
    fc.tuple(
      fc.constant('content-type'),
      fc.constantFrom('text/plain', 'application/json; charset=latin1', 'x', ''),
    ),
    fc.constant(['accept-encoding', 'gzip'] as const),
  )
  .map(([name, value]) => ({ [name]: value }));

function requestsOf(
  template: string,
  method: string,
  operation: FuzzedOperation,
  schemas: Schemas,
): Arbitrary<FuzzedRequest> {
  const { operationId, parameters = [], requestBody } = operation;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameter = fc.oneof(
    { arbitrary: fc.nat(), weight: 6 },
    { arbitrary: fc.constantFrom('ach', 'wire', '1', '2', '-1', '1.5'), weight: 2 },
    hostileText.map((text) => text.slice(0, 400)),
  );
  const queryOf = ({ name, schema }: (typeof inQuery)[number]): Arbitrary<readonly [string, string]> =>
    fc.tuple(
      fc.constant(name),
      fc
        .oneof({ arbitrary: valuesOf(schema, schemas).map(String), weight: 3 }, hostileText)
        .map((text) => text.slice(0, 2_000)),
    );
  const query = fc.array(
    fc.oneof(
      ...inQuery.map((one) => ({ arbitrary: queryOf(one), weight: 4 })),
      fc.tuple(
        hostileText.map((text) => text.slice(0, 50)),
        hostileText.map((text) => text.slice(0, 500)),
      ),
    ),
    { maxLength: 4 },
  );
  const schema = requestBody?.content['application/json']?.schema;
  return fc.record({
    operationId: fc.constant(operationId),
    method: fc.constant(method),
    template: fc.constant(template),
    parameters: fc.record(Object.fromEntries(names.map((name) => [name, parameter]))),
    query: fc.oneof({ arbitrary: fc.constant([]), weight: 1 }, { arbitrary: query, weight: 2 }),
    headers: fc.oneof({ arbitrary: fc.constant({}), weight: 2 }, { arbitrary: oneHeader, weight: 1 }),
    caller: fc.nat(10),
    body: schema === undefined ? fc.constant(undefined) : bodiesOf(operationId, schema, schemas),
  });
}

function bodiesOf(operationId: string, schema: Schema, schemas: Schemas): Arbitrary<string | undefined> {
  const good = fc.oneof(
    { arbitrary: valuesOf(schema, schemas), weight: 1 },
    ...realBodies(operationId).map((arbitrary) => ({ arbitrary, weight: 2 })),
  );
  const wrong = fc.tuple(good, mutations).map(([value, mutation]) => mutated(value, mutation));
  const text = fc.tuple(good, fc.nat()).map(([value, cut]) => {
    const json = JSON.stringify(value) ?? '';
    return json.slice(0, cut % (json.length + 1));
  });
  return fc.oneof(
    { arbitrary: good.map((value) => JSON.stringify(value)), weight: 5 },
    { arbitrary: wrong.map((value) => JSON.stringify(value)), weight: 10 },
    { arbitrary: hostileValue.map((value) => JSON.stringify(value)), weight: 2 },
    {
      arbitrary: fc.oneof(text, hostileText, fc.constant('['.repeat(100_000)), fc.constant('1e999')),
      weight: 2,
    },
    { arbitrary: fc.constant(undefined), weight: 1 },
  );
}

/** Valid bodies of operations whose schema alone hardly ever yields an accepted one. */
function realBodies(operationId: string): Arbitrary<unknown>[] {
  const payment = fc.nat(500).map((nat) => `fuzz-${String(nat)}`);
  const change = fc.oneof(
    payment.map((transactionId) => achExample({ transactionId })),
    payment.map((paymentId) => wireExample({ paymentId })),
  );
  if (operationId === 'postEvent') return [change];
  if (operationId === 'postEventBatch')
    return [fc.record({ events: fc.array(change, { minLength: 1, maxLength: 5 }) })];
  return [];
}
