import type { Schema } from '../../api/schema';

export type BulkAction = Schema<'BulkActionDto'>;
export type BulkKind = BulkAction['action'];

/** What can be done to many deliveries: its names, whom it touches, and what to know before. */
export const BULK_KINDS: Readonly<
  Record<BulkKind, { verb: string; running: string; past: string; effect: string; warning: string }>
> = {
  replay: {
    verb: 'Replay',
    running: 'Replaying',
    past: 'Replayed',
    effect: 'Everything that matches goes again with its whole retry schedule, whatever its state.',
    warning:
      'Deliveries that were delivered already are sent a second time, with the same notificationId. A consumer that does not look at it may book a payment twice: ask first, or filter by state.',
  },
  retry: {
    verb: 'Retry',
    running: 'Retrying',
    past: 'Retried',
    effect: 'What is queued, held or dead becomes due now; delivered and cancelled ones are left alone.',
    warning:
      'What holds a consumer (a pause, an open circuit) or a payment (an earlier status) still holds its deliveries: they go when that reason is gone.',
  },
  cancel: {
    verb: 'Cancel',
    running: 'Cancelling',
    past: 'Cancelled',
    effect: 'What is queued, held or dead is finished without being sent; delivered ones are left alone.',
    warning: 'The consumers will not get these notifications. Only a replay brings them back.',
  },
};

export const BULK_STATES: Readonly<Record<BulkAction['state'], string>> = {
  running: 'Running',
  finished: 'Finished',
  stopped: 'Stopped',
  failed: 'Failed',
};
