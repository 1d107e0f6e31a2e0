import type { DeliveryFilter } from '../deliveries/delivery-filters';
import type { BulkKind } from './bulk-words';
import { useBulkPreview } from './use-bulk-preview';

/** `counting`; or null, when it was not counted since that takes too long or failed: the dialog says more. */
export type BulkCount = number | 'counting' | null;

/**
 * How many deliveries each kind of action covers. They are counted one after the other, and when one of them cannot be
 * counted in time the others are not tried: an expensive filter costs PostgreSQL one count, not three.
 */
export function useBulkCounts(filter: DeliveryFilter, isWanted: boolean): Record<BulkKind, BulkCount> {
  const replay = useCount('replay', filter, isWanted);
  const retry = useCount('retry', filter, isWanted && typeof replay === 'number');
  const cancel = useCount('cancel', filter, isWanted && typeof retry === 'number');
  return {
    replay,
    retry: replay === null ? null : retry,
    cancel: replay === null || retry === null ? null : cancel,
  };
}

function useCount(kind: BulkKind, filter: DeliveryFilter, isWanted: boolean): BulkCount {
  const { data, error } = useBulkPreview(kind, filter, { isWanted, isKeptFresh: true });
  if (data !== undefined) return data.matched;
  return error === null ? 'counting' : null;
}
