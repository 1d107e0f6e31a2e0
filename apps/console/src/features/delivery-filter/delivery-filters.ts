import { keysOf } from '../../formats/closed-list';
import type { Filter } from '../../tables/filter';
import type { UrlFilters } from '../../tables/use-url-filters';
import {
  FIELDS,
  type DeliveryFilter,
  type FilterName,
  type FilterValues,
  type Wording,
} from './delivery-fields';

const NAMES = keysOf(FIELDS);

/** The filters of a page. */
interface Bar<Name extends FilterName> {
  readonly names: readonly Name[];
  readonly filters: readonly Filter<Name>[];
}

/** The filters of a page: all without some, in this order and then the others. */
export function barOf<Without extends FilterName>(
  without: readonly Without[],
  first: readonly Exclude<FilterName, Without>[],
): Bar<Exclude<FilterName, Without>> {
  type Name = Exclude<FilterName, Without>;
  const isOffered = (name: FilterName): name is Name => !without.some((one) => one === name);
  const names = NAMES.filter(isOffered);
  const filter = (name: Name): Filter<Name> => ({ name, ...FIELDS[name].input });
  return { names, filters: [...first, ...names.filter((name) => !first.includes(name))].map(filter) };
}

/** The filters of the operators' list. */
export const OPERATORS_BAR = barOf(
  ['missed', 'openOrDelivered', 'waiting'],
  ['paymentId', 'consumerId', 'state', 'holdReason', 'status'],
);

/** The filter of a URL, without unknown values of closed lists; the api validates the rest. */
export function filterOf(values: UrlFilters<FilterName>): DeliveryFilter {
  const filter: DeliveryFilter = {};
  for (const name of NAMES) read(filter, name, values[name]);
  return filter;
}

/** The fields with these names. */
type Of<Name extends FilterName> = { [Each in Name]?: FilterValues[Each] };

function read<Name extends FilterName>(filter: Of<Name>, name: Name, text: string | undefined): void {
  const value = text === undefined ? undefined : FIELDS[name].read(text);
  if (value !== undefined) filter[name] = value;
}

/** Filters of the URL whose value is not in the closed list: the list is shown without them. */
export const leftOut = (values: UrlFilters<FilterName>): FilterName[] => {
  const filter = filterOf(values);
  return NAMES.filter((name) => values[name] !== undefined && filter[name] === undefined);
};

/** The operators' list of deliveries with this filter. */
export function deliveriesPath(filter: DeliveryFilter): string {
  const search = new URLSearchParams();
  for (const name of OPERATORS_BAR.names) {
    const value = filter[name];
    if (value !== undefined) search.set(name, String(value));
  }
  return `/deliveries?${search.toString()}`;
}

/** The fields of a filter in words, in the order of a sentence. */
export const partsOf = (
  filter: DeliveryFilter,
  wording: Wording,
): { name: FilterName; word: string; value: string }[] =>
  NAMES.flatMap((name) => {
    const value = inWords(filter, name, wording);
    return value === undefined ? [] : [{ name, word: FIELDS[name].word, value }];
  });

function inWords<Name extends FilterName>(
  filter: Of<Name>,
  name: Name,
  wording: Wording,
): string | undefined {
  const value: FilterValues[Name] | undefined = filter[name];
  return value === undefined ? undefined : FIELDS[name].inWords(value, wording);
}
