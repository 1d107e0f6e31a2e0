import type { ListQuery } from '../../../api';
import type { Filter, UrlFilters } from '../../../tables';
import { barOf, filterOf } from '../../delivery-filter/delivery-filters';
import { STATES_FOR_CONSUMER } from './state-for-consumer';

const BAR = barOf(
  ['consumerId', 'paymentId', 'delivered', 'missed', 'openOrDelivered', 'waiting', 'settled', 'holdReason'],
  ['state', 'from', 'to'],
);
type Name = (typeof BAR.names)[number] | 'reference';

/** The states in the consumer's words: what waits has three states in the API. */
const STATES = [
  { value: 'waiting', label: STATES_FOR_CONSUMER.queued.label },
  ...(['delivered', 'dead', 'cancelled'] as const).map((value) => ({
    value,
    label: STATES_FOR_CONSUMER[value].label,
  })),
];

/** The labels that differ from those of operators. */
const LABELS: Partial<Record<Name, string>> = {
  status: 'Payment status',
  state: 'Delivery',
  from: 'Created from',
  to: 'Created before',
};

/** The filters of the own deliveries. */
export const OWN_BAR: { names: readonly Name[]; filters: readonly Filter<Name>[] } = {
  names: [...BAR.names, 'reference'],
  filters: [
    { name: 'reference', kind: 'text', label: 'Payment', placeholder: 'id, trace no., IMAD' },
    ...BAR.filters.map((filter) => ({
      ...filter,
      label: LABELS[filter.name] ?? filter.label,
      ...(filter.name === 'state' ? { choices: STATES } : {}),
    })),
  ],
};

/** The filter of a URL, with `waiting` among its states. */
export const ownFilterOf = (values: UrlFilters<Name>): ListQuery<'/v1/deliveries'> => ({
  ...filterOf(values),
  ...(values.state === 'waiting' ? { waiting: true } : {}),
  ...(values.reference === undefined ? {} : { reference: values.reference }),
});
