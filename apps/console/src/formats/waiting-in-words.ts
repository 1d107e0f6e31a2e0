import type { Schema } from '../api';
import { HOLDS } from './hold-in-words';
import { STATES } from './state-badge';

/** A state in which a delivery waits, and why it is held. */
export type Waiting = Pick<Schema<'QueueStateDto'>, 'state' | 'holdReason'>;

/** `Scheduled`, `Held: circuit open`. */
export const labelOf = ({ state, holdReason }: Waiting): string =>
  holdReason === null
    ? STATES[state].label
    : `${STATES[state].label}: ${HOLDS[holdReason].label.toLowerCase()}`;

/** The meaning of the state, or the reason of a hold. */
export const meaningOf = ({ state, holdReason }: Waiting): string =>
  holdReason === null ? STATES[state].meaning : HOLDS[holdReason].why;
