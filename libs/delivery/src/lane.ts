import type { HoldReason, OpenState } from '#libs/contracts';

/** An open delivery among those of one consumer and one payment: its lane. */
export interface LaneDelivery {
  /** The status's number in its payment, given at acceptance under the payment's lock; distinct within a lane. */
  readonly number: number;
  readonly state: OpenState;
  /** Null unless `held`. */
  readonly holdReason: HoldReason | null;
}

/**
 * Whether a delivery must wait for its turn: an earlier status of the same payment is not finished yet.
 * The same question at acceptance (the delivery then starts held, `order`) and at the take.
 *
 * @param lane the lane's open deliveries, in any order; may include the delivery itself.
 */
export function startsHeld(lane: readonly LaneDelivery[], number: number): boolean {
  return lane.some((other) => other.number < number);
}

/**
 * Which delivery of a lane is released when one has finished: the earliest, if it waits for its turn alone.
 * One that is held for another reason keeps the lane until that reason is gone.
 *
 * @param lane what is still open, in any order.
 */
export function nextInLane<T extends LaneDelivery>(lane: readonly T[]): T | null {
  let head: T | null = null;
  for (const delivery of lane) {
    if (head === null || delivery.number < head.number) head = delivery;
  }
  return head?.state === 'held' && head.holdReason === 'order' ? head : null;
}
