import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES } from '#libs/contracts';
import { sampleEnvelope } from './sample-change.js';

const NOW = new Date('2025-11-20T09:30:00.123Z');

describe('the sample of a test delivery', () => {
  it.each(EVENT_TYPES)(
    'of %s keeps the contract, bears the mark and the time, and is new each time',
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
});
