import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { HOLD_REASONS } from '#libs/contracts';
import { nextInLane, startsHeld, type LaneDelivery } from './lane.js';

const queued = (number: number): LaneDelivery => ({ number, state: 'queued', holdReason: null });
const waiting = (number: number): LaneDelivery => ({ number, state: 'held', holdReason: 'order' });

describe('startsHeld', () => {
  it('lets the first status of a payment go and holds those behind it', () => {
    expect(startsHeld([], 1)).toBe(false);
    expect(startsHeld([queued(1)], 2)).toBe(true);
    expect(startsHeld([queued(1), waiting(2)], 3)).toBe(true);
  });

  it('looks past what comes later and past the delivery itself', () => {
    expect(startsHeld([queued(2), waiting(3)], 2)).toBe(false);
  });

  it('makes a successor wait behind a replayed status', () => {
    expect(startsHeld([queued(1), queued(2)], 2)).toBe(true);
  });
});

describe('nextInLane', () => {
  it('releases the earliest of those that wait for their turn', () => {
    expect(nextInLane([waiting(7), waiting(5), waiting(6)])?.number).toBe(5);
  });

  it('releases nobody while the earliest is on its way or held for another reason', () => {
    expect(nextInLane([])).toBeNull();
    expect(nextInLane([queued(1), waiting(2)])).toBeNull();
    expect(nextInLane([{ number: 1, state: 'sending', holdReason: null }, waiting(2)])).toBeNull();
    for (const holdReason of HOLD_REASONS.filter((reason) => reason !== 'order')) {
      expect(nextInLane([{ number: 1, state: 'held', holdReason }, waiting(2)])).toBeNull();
    }
  });
});

describe('a lane, accepted and finished in any interleaving', () => {
  it('has at most one delivery on its way, sends in order, and strands none', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (steps) => {
        const lane: LaneDelivery[] = [];
        const finished: number[] = [];
        let accepted = 0;
        const accept = () => {
          accepted += 1;
          lane.push(startsHeld(lane, accepted) ? waiting(accepted) : queued(accepted));
        };
        const finish = () => {
          const index = lane.findIndex((delivery) => delivery.state === 'queued');
          finished.push(...lane.splice(index, 1).map((delivery) => delivery.number));
          const next = nextInLane(lane);
          if (next !== null) lane[lane.indexOf(next)] = queued(next.number);
        };
        for (const arrives of steps) {
          if (arrives || lane.length === 0) accept();
          else finish();
          expect(lane.filter((delivery) => delivery.state === 'queued')).toHaveLength(
            lane.length > 0 ? 1 : 0,
          );
        }
        while (lane.length > 0) finish();
        expect(finished).toEqual(Array.from({ length: accepted }, (_, index) => index + 1));
      }),
    );
  });
});
