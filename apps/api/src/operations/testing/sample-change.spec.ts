import { expect, it } from '@jest/globals';
import { EVENT_TYPES } from '#libs/contracts';
import { sampleEnvelope } from './sample-change.js';

const NOW = new Date('2025-11-20T09:30:00.123Z');

it.each(EVENT_TYPES)(
  'the sample of %s for a test delivery has the event’s fields, the TEST mark and the time, and new ids',
  (type) => {
    const [one, other] = [sampleEnvelope(type, NOW), sampleEnvelope(type, NOW)];
    const envelope: { notificationId: string; eventType: string; eventDateTime: string; data: object } =
      JSON.parse(one.body);
    expect(envelope).toMatchObject({
      notificationId: one.notificationId,
      eventType: type,
      eventDateTime: '2025-11-20T09:30:00.123Z',
    });
    expect(one.notificationId).toMatch(/^TEST-[0-9a-f-]{31}$/);
    expect(one.notificationId).toHaveLength(36);
    expect(one.notificationId).not.toBe(other.notificationId);
    const ids = [...one.body.matchAll(/"(?:transactionId|paymentId|referenceId|endToEndId)":"([^"]*)"/g)];
    expect(ids.length).toBeGreaterThan(0);
    for (const [, id] of ids) expect(id).toMatch(/^TEST-/);
  },
);
