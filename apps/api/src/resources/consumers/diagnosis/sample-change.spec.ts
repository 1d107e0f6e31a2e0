import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ACH_STATUSES, EVENT_TYPES } from '#libs/contracts';
import { SAMPLE_STATUSES, sampleEnvelope } from './sample-change.js';

const NOW = new Date('2025-11-20T09:30:00.123Z');

const ACH: readonly string[] = ACH_STATUSES;

it.each(SAMPLE_STATUSES)(
  'the sample of the status %s has the event’s fields, the TEST mark and the time, and new ids',
  (status) => {
    const [one, other] = [sampleEnvelope(status, NOW), sampleEnvelope(status, NOW)];
    const envelope: { notificationId: string; eventType: string; eventDateTime: string; data: object } =
      JSON.parse(one.body);
    expect(envelope).toMatchObject({
      notificationId: one.notificationId,
      eventType: ACH.includes(status) ? 'ach.status' : 'wire.status',
      eventDateTime: '2025-11-20T09:30:00.123Z',
    });
    expect(one.body).toContain(`"status":"${status}"`);
    expect(one.body.includes('returnNOC')).toBe(['NOTICE_OF_CHANGE', 'RETURN'].includes(status));
    expect(one.body.includes('exceptionInfo')).toBe(status === 'Exception');
    expect(one.notificationId).toMatch(/^TEST-[0-9a-f-]{31}$/);
    expect(one.notificationId).toHaveLength(36);
    expect(one.notificationId).not.toBe(other.notificationId);
    const ids = [...one.body.matchAll(/"(?:transactionId|paymentId|referenceId|endToEndId)":"([^"]*)"/g)];
    expect(ids.length).toBeGreaterThan(0);
    for (const [, id] of ids) expect(id).toMatch(/^TEST-/);
  },
);

interface Released {
  webhooks: Record<
    string,
    { post: { requestBody: { content: Record<string, { schema: object; example: object }> } } }
  >;
  components: object;
}
const { webhooks, components }: Released = JSON.parse(readFileSync('test/released/openapi.json', 'utf8'));

it.each(EVENT_TYPES)(
  'the samples of %s, and the example, have the JSON Schema of the last release',
  (eventType) => {
    const { schema = {}, example = {} } =
      webhooks[eventType]?.post.requestBody.content['application/json'] ?? {};
    const ajv = new Ajv2020({ validateFormats: false, keywords: ['components'] });
    const hasSchema = ajv.compile({ ...schema, components });
    const samples = SAMPLE_STATUSES.filter((status) => ACH.includes(status) === (eventType === 'ach.status'));
    for (const envelope of [
      example,
      ...samples.map((status) => JSON.parse(sampleEnvelope(status, NOW).body)),
    ]) {
      expect(hasSchema(envelope)).toBe(true);
      expect(hasSchema({ ...envelope, notificationId: undefined })).toBe(false);
    }
  },
);
