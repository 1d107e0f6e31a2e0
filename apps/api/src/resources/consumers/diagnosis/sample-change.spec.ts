import { expect, it } from '@jest/globals';
import { ACH_STATUSES } from '#libs/contracts';
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
