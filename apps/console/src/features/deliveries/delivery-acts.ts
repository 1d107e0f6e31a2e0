import type { Schema } from '../../api/schema';
import { HOLDS } from '../../formats/hold-in-words';
import type { DeliveryState } from '../../formats/state-badge';

export type Delivery = Schema<'DeliveryDto'>;
export type DeliveryAct = 'retry' | 'cancel';

/** What may be done to a delivery in this state. */
export function actsOn(state: DeliveryState): readonly DeliveryAct[] {
  switch (state) {
    case 'queued':
    case 'held':
    case 'dead':
      return ['retry', 'cancel'];
    case 'cancelled':
    case 'delivered':
      return ['retry'];
    case 'sending':
      return ['cancel'];
  }
}

const STILL_HOLDS =
  'What holds its consumer (a pause, an open circuit) or its payment (an earlier status) still holds it.';

/** What an act will do, before it is done. */
export function effectOf(act: DeliveryAct, { state, consumerName, holdReason }: Delivery): string {
  if (act === 'cancel') {
    return state === 'dead'
      ? 'It counts as dealt with and is no longer listed as dead. Nothing is sent. A retry brings it back.'
      : state === 'sending'
        ? `The attempt that is under way ends as it ends, and ${consumerName} may get it; nothing more is sent after it. A later status of the same payment no longer waits for it.`
        : `It is finished without being sent: ${consumerName} does not get this notification. A later status of the same payment no longer waits for it. A retry brings it back.`;
  }
  switch (state) {
    case 'delivered':
      return `${consumerName} has acknowledged this notification already and will get it a second time. The notificationId stays the same; a consumer that does not look at it may book the payment twice. Ask them first.`;
    case 'dead':
    case 'cancelled':
      return `It becomes due now, with the whole retry schedule before it. ${STILL_HOLDS}`;
    case 'held':
      return `It is tried now if what holds it allows that${holdReason === null ? '' : ` (${HOLDS[holdReason].label.toLowerCase()})`}; otherwise it stays held, and you are told so.`;
    case 'queued':
    case 'sending':
      return `It becomes due now, and not at its next time. ${STILL_HOLDS}`;
  }
}

/** What an act has done, from the api's answer. */
export function resultOf(act: DeliveryAct, { state, holdReason }: Delivery): string {
  if (act === 'cancel') return 'Cancelled. Nothing more is sent.';
  if (state === 'held' && holdReason !== null) {
    const { why, endsWhen } = HOLDS[holdReason];
    return `Not sent: it is still held. ${why} Goes on when: ${endsWhen}`;
  }
  return 'It is due now. What came of it shows here in a few seconds.';
}
