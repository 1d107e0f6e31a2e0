import type { Schema } from '../../api';

/** The state of a requested URL. */
export const URL_REQUEST_STATES: Readonly<Record<Schema<'UrlRequestDto'>['state'], string>> = {
  waiting: 'Waits for the bank',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
};
