import type { ListQuery } from '../../../api';
import type { UrlFilters } from '../../../tables';
import { barOf, filterOf } from '../../delivery-filter/delivery-filters';
import { STATES_FOR_CONSUMER } from './state-for-consumer';

const BAR = barOf(
  ['consumerId', 'delivered', 'missed', 'waiting', 'settled', 'holdReason'],
  ['paymentId', 'state', 'from', 'to'],
);

/** The states in the consumer's words: what waits has three states in the API. */
const STATES = [
  { value: 'waiting', label: STATES_FOR_CONSUMER.queued.label },
  ...(['delivered', 'dead', 'cancelled'] as const).map((value) => ({
    value,
    label: STATES_FOR_CONSUMER[value].label,
  })),
];

/** The filters of the own deliveries. */
export const OWN_BAR = {
  ...BAR,
  filters: BAR.filters.map((filter) =>
    filter.name === 'state' && filter.kind === 'choice' ? { ...filter, choices: STATES } : filter,
  ),
};

/** The filter of a URL, with `waiting` among its states. */
export const ownFilterOf = (values: UrlFilters<(typeof BAR.names)[number]>): ListQuery<'/v1/deliveries'> => ({
  ...filterOf(values),
  ...(values.state === 'waiting' ? { waiting: true } : {}),
});
