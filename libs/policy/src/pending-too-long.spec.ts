import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pendingTooLongSince, type Downtime } from './pending-too-long.js';

const NOW = new Date('2026-11-21T08:00:00.000Z');
const MINUTE_MS = 60_000;
const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * MINUTE_MS);
const downtime = (from: number, to: number): Downtime => ({ beganAt: ago(from), endedAt: ago(to) });

describe('pendingTooLongSince', () => {
  it('pending too long leaves exactly the limit of counted minutes for any downtimes', () => {
    const span = fc.tuple(fc.nat(500), fc.nat(500)).map(([a, b]) => downtime(Math.max(a, b), Math.min(a, b)));
    fc.assert(
      fc.property(fc.array(span, { maxLength: 8 }), fc.integer({ min: 1, max: 300 }), (downtimes, limit) => {
        const since = pendingTooLongSince(NOW, limit * MINUTE_MS, downtimes);
        const excluded = (minute: number): boolean =>
          downtimes.some(({ beganAt, endedAt }) => beganAt < ago(minute) && endedAt >= ago(minute));
        const minutes = (NOW.getTime() - since.getTime()) / MINUTE_MS;
        const counted = Array.from({ length: minutes }, (_, minute) => minute).filter((m) => !excluded(m));
        expect(counted).toHaveLength(limit);
      }),
    );
  });
});
