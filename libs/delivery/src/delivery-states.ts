import { FINAL_STATES, type DeliveryState, type FinalState } from '#libs/contracts';

/** What the dispatcher itself may do with a delivery; final states are left by a person only. */
const TRANSITIONS: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  // taken by a worker; refused by the take, or caught by a pause; given up by a person
  queued: ['sending', 'held', 'cancelled'],
  // acknowledged; schedule used up; waits for its next attempt, in the queue or under a hold; given up
  sending: ['delivered', 'dead', 'queued', 'held', 'cancelled'],
  // released; taken as a circuit's probe; held too long without an attempt; given up
  held: ['queued', 'sending', 'dead', 'cancelled'],
  delivered: [],
  dead: [],
  cancelled: [],
};

/** Whether nothing more happens to a delivery of its own accord. */
export function isFinal(state: DeliveryState): state is FinalState {
  return FINAL_STATES.some((final) => final === state);
}

/** Whether the dispatcher may move a delivery from one state to another. Staying is not a transition. */
export function canTransition(from: DeliveryState, to: DeliveryState): boolean {
  return TRANSITIONS[from].includes(to);
}

/**
 * Whether a person may send a finished delivery again: a dead or cancelled one at will,
 * a delivered one only by force, since its consumer has acknowledged it.
 */
export function canReopen(from: DeliveryState, force: boolean): boolean {
  return isFinal(from) && (from !== 'delivered' || force);
}
