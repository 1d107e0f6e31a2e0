import type { Schema } from '../../api';
import { countInWords, deliveriesInWords } from '../../formats/count-in-words';
import type { DeliveryFilter } from '../delivery-filter/delivery-fields';

export type BulkAction = Schema<'BulkActionDto'>;
export type BulkKind = BulkAction['action'];

/** The bulk actions in words. */
export const BULK_KINDS: Readonly<Record<BulkKind, Record<'verb' | 'past' | 'effect', string>>> = {
  replay: {
    verb: 'Replay',
    past: 'replayed',
    effect: 'They are sent again with a full retry schedule and the same notificationId.',
  },
  retry: {
    verb: 'Retry',
    past: 'retried',
    effect:
      'Scheduled, held and dead deliveries become due now. Delivered, settled and cancelled ones are not changed.',
  },
  cancel: {
    verb: 'Cancel',
    past: 'cancelled',
    effect:
      'Scheduled, held and dead deliveries are finished without being sent. Delivered and settled ones are not changed.',
  },
  settle: {
    verb: 'Settle',
    past: 'settled',
    effect:
      'Dead deliveries are marked as settled, with your reason: they were dealt with otherwise, for example by file. Nothing is sent, and they no longer count as dead.',
  },
};

/** In the order of the buttons. */
export const KINDS = ['replay', 'retry', 'cancel', 'settle'] as const satisfies readonly BulkKind[];

/** `Bulk replay`. */
export const nameOfKind = (kind: BulkKind): string => `Bulk ${BULK_KINDS[kind].verb.toLowerCase()}`;

const STILL_HELD =
  'A pause, an open circuit or an earlier status of the payment still holds deliveries: they are sent when that has ended.';

/** The warning before an action on this filter, or null. */
export function noteBefore(kind: BulkKind, filter: DeliveryFilter): string | null {
  switch (kind) {
    case 'replay':
      return coversDelivered(filter)
        ? 'Delivered ones are among them and are sent a second time. A consumer that does not compare notificationIds may book a payment twice: ask first, or filter by state.'
        : STILL_HELD;
    case 'retry':
      return STILL_HELD;
    case 'cancel':
      return 'The consumers will not receive these notifications. Only a replay brings them back.';
    case 'settle':
      return null;
  }
}

const coversDelivered = ({ state, delivered, settled }: DeliveryFilter): boolean =>
  delivered !== false && settled === undefined && (state === undefined || state === 'delivered');

/** The progress of a bulk action; null while the total is unknown. */
export function percentOf({ state, matched, processed }: BulkAction): number | null {
  if (state === 'finished') return 100;
  if (matched === null) return null;
  return matched === 0 ? 0 : Math.min(100, Math.floor((processed / matched) * 100));
}

/** The result of an action so far: `Stopped by maria after 312 of 1,000: 300 replayed, 12 skipped; 688 untouched`. */
export function doneInWords(action: BulkAction): string {
  const { state, matched, processed, changed, skipped, stoppedBy } = action;
  const total = matched === null ? null : Math.max(matched, processed);
  const seen =
    total === null ? countInWords(processed) : `${countInWords(processed)} of ${countInWords(total)}`;
  const what = `${countInWords(changed)} ${BULK_KINDS[action.action].past}${skipped > 0 ? `, ${countInWords(skipped)} skipped` : ''}`;
  const rest = total === null ? 'the rest untouched' : `${countInWords(total - processed)} untouched`;
  switch (state) {
    case 'running':
      return `${seen} processed: ${what}`;
    case 'finished':
      return `${deliveriesInWords(processed)} processed: ${what}`;
    case 'stopped':
      return `Stopped${stoppedBy === null ? '' : ` by ${stoppedBy}`} after ${seen}: ${what}; ${rest}`;
    case 'failed':
      return `Failed after ${seen}: ${what}; ${rest}`;
  }
}
