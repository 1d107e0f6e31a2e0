import type { Filter } from '../../tables/filter';
import type { Draft } from '../../tables/typed-filter';
import type { FilterName } from '../delivery-filter/delivery-fields';

interface ListInView {
  filters: readonly Filter<FilterName>[];
  drafts: ReadonlyMap<FilterName, Draft>;
  /** Filters of the URL with an unknown value. */
  leftOut: readonly FilterName[];
  /** Whether the list shows the filter of the URL. `failed`: it could not be read. */
  list: 'current' | 'loading' | 'failed';
}

/**
 * Why no bulk action may start now, as a text for the operator; null when the fields, the URL and the list select the
 * same deliveries.
 */
export function whyNoBulkAction({ filters, drafts, leftOut, list }: ListInView): string | null {
  const labelOf = (wanted: FilterName): string =>
    filters.find(({ name }) => name === wanted)?.label ?? wanted;
  const [incomplete] = [...drafts].find(([, draft]) => draft === 'incomplete') ?? [];
  if (incomplete !== undefined)
    return `“${labelOf(incomplete)}” is not a complete date and time: complete it or empty it.`;
  const [unknown] = leftOut;
  if (unknown !== undefined)
    return `The address has an unknown value for “${labelOf(unknown)}”: choose one, or clear the filters.`;
  if (drafts.size > 0 || list === 'loading') return 'Loading the deliveries that match …';
  if (list === 'failed') return 'The deliveries that match cannot be read: see the message below.';
  return null;
}
