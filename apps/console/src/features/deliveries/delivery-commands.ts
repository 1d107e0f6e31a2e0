import type { Schema } from '../../api';
import { HOLDS } from '../../formats/hold-in-words';
import type { DeliveryState } from '../../formats/state-badge';

export type Delivery = Schema<'DeliveryDto'>;
export type DeliveryCommand = 'retry' | 'cancel';

/** `RETURN of payment ACH-S-600 to Acme`. */
export const nameOf = ({ status, paymentId, consumerName }: Delivery): string => {
  const payment = paymentId === null ? 'a payment without an id' : `payment ${paymentId}`;
  const named = `${status === null ? payment : `${status} of ${payment}`} to ${consumerName}`;
  return named.charAt(0).toUpperCase() + named.slice(1);
};

/** The commands that a delivery in this state accepts. */
export function commandsFor(state: DeliveryState): readonly DeliveryCommand[] {
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

const STILL_HOLDS = 'A pause, an open circuit or an earlier status of the payment still holds it.';

/** The effect of a command, before it runs. */
export function effectOf(command: DeliveryCommand, delivery: Delivery): string {
  const { state, consumerName, holdReason, settlement } = delivery;
  if (command === 'cancel') {
    return state === 'dead'
      ? 'It is no longer listed as dead. Nothing is sent. A retry brings it back.'
      : state === 'sending'
        ? `The attempt that is under way is not interrupted, and ${consumerName} can receive it; nothing more is sent after it. A later status of the same payment no longer waits for it.`
        : `It is finished without being sent: ${consumerName} does not receive this notification. A later status of the same payment no longer waits for it. A retry brings it back.`;
  }
  switch (state) {
    case 'delivered':
      return `${consumerName} has acknowledged this notification already and will receive it a second time. The notificationId stays the same; a consumer that does not compare it may book the payment twice. Ask the consumer first.`;
    case 'dead':
    case 'cancelled':
      return `${settlement === null ? '' : `It was settled by ${settlement.by} (“${settlement.reason}”): ${consumerName} may book the payment twice. `}It becomes due now, with a full retry schedule. ${STILL_HOLDS}`;
    case 'held':
      return `It is sent now unless it is still held${holdReason === null ? '' : ` (${HOLDS[holdReason].label.toLowerCase()})`}; the answer says so.`;
    case 'queued':
    case 'sending':
      return `It becomes due now instead of at its next time. ${STILL_HOLDS}`;
  }
}

/** The result of a command, from the api's answer. */
export function resultOf(command: DeliveryCommand, { state, holdReason }: Delivery): string {
  if (command === 'cancel')
    return `${state === 'delivered' ? 'It had been delivered before, and is shown as delivered' : 'Cancelled'}. Nothing more is sent.`;
  if (state === 'held' && holdReason !== null) {
    const { why, endsWhen } = HOLDS[holdReason];
    return `Not sent: it is still held. ${why} Continues when: ${endsWhen}`;
  }
  return 'It is due now. The result is shown in a few seconds.';
}
