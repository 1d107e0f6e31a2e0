import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiDocument } from '#apps/api/src/openapi/api-document';
import { schemaFile } from '#apps/api/src/openapi/schema-file';
import { buildEnvelope, EVENT_TYPES, newId, type Outcome } from '#libs/contracts';
import { arbitraryChange } from '../../libs/contracts/testing/arbitrary-change.js';
import { checkedChange } from '../../libs/contracts/testing/faults-of.js';
import { decide, DEFAULT_RETRY_SCHEDULE_MS } from '#libs/policy';
import { printedDocument } from '#test/support/api-document';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

const document = await printedDocument<ApiDocument & Awaited<ReturnType<typeof printedDocument>>>();
const webhooks = EVENT_TYPES.map((eventType) => {
  const operation = document.webhooks?.[eventType]?.['post'];
  if (operation === undefined) throw new Error(`the document has no webhook ${eventType}`);
  return { eventType, operation };
});

function compiled(eventType: (typeof EVENT_TYPES)[number]): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true });
  formats.default(ajv);
  return ajv.compile(schemaFile(document, eventType));
}
const validates = new Map<string, ValidateFunction>(EVENT_TYPES.map((one) => [one, compiled(one)]));
const faultsOf = (envelope: { eventType: string }): unknown => {
  const validate = validates.get(envelope.eventType);
  return validate?.(envelope) === true ? [] : validate?.errors;
};

/** A copy with an unknown field in every object. */
const extended = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? { ...inner, ofLater: {} } : inner,
  );

describe('schemas of notifications', () => {
  it('every notification that the dispatcher builds has its JSON Schema, and with unknown fields too', () => {
    fc.assert(
      fc.property(arbitraryChange, (change) => {
        const envelope: { eventType: string } = JSON.parse(
          buildEnvelope(checkedChange(change), newId()).body,
        );
        expect(faultsOf(envelope)).toEqual([]);
        expect(faultsOf(extended(envelope))).toEqual([]);
      }),
    );
  });

  it('the examples of the webhooks have their JSON Schema, and each required field is needed', () => {
    for (const { eventType, operation } of webhooks) {
      const { example } = operation.requestBody?.content?.['application/json'] ?? {};
      const { examples, required = [] } = schemaFile(document, eventType);
      expect(examples).toEqual([example]);
      const sample = { eventType, ...Object(example) };
      expect(faultsOf(sample)).toEqual([]);
      for (const field of required.filter((one) => one !== 'eventType'))
        expect([field, faultsOf({ ...sample, [field]: undefined })]).not.toEqual([field, []]);
    }
  });

  it('the schema of every notification states the policy of docs/contract.md', async () => {
    const page = (await readFile('docs/contract.md', 'utf8')).replaceAll(/\s+/g, ' ');
    for (const { eventType } of webhooks) {
      const { description = '-' } = schemaFile(document, eventType);
      expect(page).toContain(description);
    }
  });
});

describe('webhooks', () => {
  it('the API document lists exactly the headers that a delivery has, and signature and Basic as its security', async () => {
    const system = await System.shared(1);
    const customer = await Customer.onboard(system.client);
    const accepted = await system.client.accept(achChange(customer.company, randomUUID()));
    await customer.waitForAcknowledged([accepted]);
    const sent = Object.keys(customer.arrivals[0]?.request.headers ?? {});
    // Every request of HTTP/1.1 has these.
    const ofHttp = ['connection', 'content-length', 'host'];
    const { basic, signature } = document.components.securitySchemes;
    expect(basic).toMatchObject({ type: 'http', scheme: 'basic' });
    expect(signature).toMatchObject({ type: 'apiKey', in: 'header', name: 'x-signature' });
    for (const { operation } of webhooks) {
      expect(operation.security).toEqual([{ basic: [], signature: [] }]);
      const required = operation.parameters?.filter((one) => one.required).map(({ name }) => name) ?? [];
      const documented = ['authorization', 'content-type', 'x-signature', ...required];
      expect(sent.filter((name) => !ofHttp.includes(name)).toSorted()).toEqual(documented.toSorted());
    }
  });

  it('the answers in the API document mean what the policy decides for every status', () => {
    const outcomeOf = (status: number): Outcome => {
      if (status < 300) return 'acknowledged';
      return status < 400 ? 'redirect' : 'http_status';
    };
    const meaning = { delivered: '2XX', hold: '410', retry: 'default', dead: 'none' };
    for (const { operation } of webhooks) {
      expect(Object.keys(operation.responses).toSorted()).toEqual(['2XX', '410', 'default']);
      for (let status = 200; status < 600; status += 1) {
        const { kind } = decide({
          outcome: outcomeOf(status),
          httpStatus: status,
          probe: false,
          attempt: 1,
          schedule: DEFAULT_RETRY_SCHEDULE_MS,
          random: 0.5,
          retryAfterMs: null,
        });
        const documented = [String(status), `${String(status)[0] ?? ''}XX`, 'default'];
        const found = documented.find((key) => key in operation.responses);
        expect([status, found]).toEqual([status, meaning[kind]]);
      }
      expect(operation.responses['default']?.description).toContain('13 attempts over about 72 hours');
      expect(operation.responses['default']?.headers?.['Retry-After']?.description).toContain('24 hours');
    }
  });
});

describe('GET /v1/schemas/{name}', () => {
  it('anybody downloads the JSON Schema of a notification, and an unknown name is answered with the known ones', async () => {
    const { api } = await System.shared(1);
    for (const eventType of EVENT_TYPES) {
      const answer = await fetch(`${api.baseUrl}/v1/schemas/${eventType}`);
      expect(answer.headers.get('content-type')).toBe('application/schema+json');
      expect(answer.headers.get('content-disposition')).toContain(`"${eventType}.schema.json"`);
      expect(await answer.json()).toEqual(schemaFile(document, eventType));
    }
    const unknown = await fetch(`${api.baseUrl}/v1/schemas/fax.status`);
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({
      detail: 'There is no schema of this name. The names are ach.status, wire.status.',
    });
  });
});
