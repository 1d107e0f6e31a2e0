import { describe, expect, it } from 'vitest';
import { achExample, wireExample } from '#libs/contracts';
import { DocumentChecker, operationsOf, printedDocument } from '#test/support/api-document';

const document = await printedDocument();
const checker = new DocumentChecker(document);

describe('examples of the API document', () => {
  it('the API document has a valid example for every JSON body and answer', () => {
    const found = operationsOf(document).flatMap(({ method, path, operation }) => [
      ...(operation.requestBody === undefined
        ? []
        : checker.exampleFaults(method, path, ['requestBody'], 'application/json')),
      ...Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
        Object.keys(content)
          .filter((media) => media.endsWith('json') && media !== 'application/x-ndjson')
          .flatMap((media) => checker.exampleFaults(method, path, ['responses', status], media)),
      ),
    ]);
    expect(found).toEqual([]);
  });

  it('the example answers of the API document show only masked account numbers', () => {
    for (const { operation } of operationsOf(document)) {
      const answers = JSON.stringify(operation.responses);
      for (const [, account = ''] of answers.matchAll(/"account(?:Id|Number)":"([^"]*)"/g))
        expect(account).toMatch(/^\*{4}\w{4}$/);
    }
  });
});

describe('request schemas', () => {
  it.each(['StatusChangeDto', 'BatchItemDto'])(
    'the schema %s binds data to eventType by a discriminator',
    (name) => {
      expect(document.components.schemas[name]).toMatchObject({
        oneOf: [{ $ref: expect.any(String) }, { $ref: expect.any(String) }],
        discriminator: {
          propertyName: 'eventType',
          mapping: { 'ach.status': expect.any(String), 'wire.status': expect.any(String) },
        },
      });
      const holds = checker.schema(name);
      expect(holds({ ...wireExample() })).toBe(true);
      expect(holds({ ...wireExample(), data: achExample().data })).toBe(false);
    },
  );

  it('the request schemas of the API document limit every text, list and number', () => {
    const unbounded: string[] = [];
    const follow = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const {
        type,
        enum: values,
        maxLength,
        maxItems,
        maximum,
        $ref,
      } = Object.fromEntries<unknown>(Object.entries(value));
      const bound = new Map<unknown, unknown>([
        ['string', maxLength],
        ['array', maxItems],
        ['integer', maximum],
        ['number', maximum],
      ]);
      const types = [type].flat().filter((one) => bound.has(one));
      if (values === undefined && types.some((one) => bound.get(one) === undefined)) unbounded.push(place);
      if (typeof $ref === 'string') {
        const name = $ref.slice('#/components/schemas/'.length);
        if (!followed.has(name)) follow(document.components.schemas[name], name);
        followed.add(name);
      }
      for (const [key, inner] of Object.entries(value))
        if (!key.startsWith('example')) follow(inner, `${place}.${key}`);
    };
    const followed = new Set<string>();
    for (const { operation } of operationsOf(document)) {
      follow(operation.requestBody?.content, operation.operationId);
      for (const { name, in: where, schema } of operation.parameters ?? [])
        if (where !== 'header') follow(schema, `${operation.operationId} ${name}`);
    }
    expect(unbounded).toEqual([]);
  });
});
