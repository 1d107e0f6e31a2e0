import { describe, expect, it } from '@jest/globals';
import { DELIVERY_STATES, FINAL_STATES, OPEN_STATES, type DeliveryState } from '#libs/contracts';
import { canReopen, canTransition, isFinal } from './delivery-states.js';

describe('the state machine', () => {
  it('allows these transitions and no others', () => {
    const legal = DELIVERY_STATES.flatMap((from) =>
      DELIVERY_STATES.filter((to) => canTransition(from, to)).map((to) => `${from} > ${to}`),
    );
    expect(legal).toEqual([
      'queued > sending',
      'queued > held',
      'queued > cancelled',
      'sending > queued',
      'sending > held',
      'sending > delivered',
      'sending > dead',
      'sending > cancelled',
      'held > queued',
      'held > sending',
      'held > dead',
      'held > cancelled',
    ]);
  });

  it('knows which states are final', () => {
    expect(DELIVERY_STATES.filter(isFinal)).toEqual(FINAL_STATES);
  });

  it('lets every open delivery come to every end', () => {
    for (const open of OPEN_STATES) {
      for (const end of FINAL_STATES) expect(reaches(open, end)).toBe(true);
    }
  });

  it('delivers only what a worker has sent', () => {
    expect(DELIVERY_STATES.filter((from) => canTransition(from, 'delivered'))).toEqual(['sending']);
  });

  it('reopens finished deliveries only, a delivered one only by force', () => {
    expect(DELIVERY_STATES.filter((from) => canReopen(from, false))).toEqual(['dead', 'cancelled']);
    expect(DELIVERY_STATES.filter((from) => canReopen(from, true))).toEqual(FINAL_STATES);
  });
});

function reaches(
  from: DeliveryState,
  end: DeliveryState,
  seen: ReadonlySet<DeliveryState> = new Set(),
): boolean {
  if (canTransition(from, end)) return true;
  const next = DELIVERY_STATES.filter((state) => canTransition(from, state) && !seen.has(state));
  return next.some((state) => reaches(state, end, new Set([...seen, state])));
}
