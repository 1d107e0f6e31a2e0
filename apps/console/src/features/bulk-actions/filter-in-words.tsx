import { Text } from '@mantine/core';
import { EVENT_TYPES, HOLDS, OUTCOMES, STATES, useMomentInWords } from '../../formats';
import { useAllConsumers } from '../consumers/use-consumers';
import type { DeliveryFilter } from '../deliveries/delivery-filters';

/** A filter as one line: `state Dead, consumer Acme`. */
export function FilterInWords({ filter }: { filter: DeliveryFilter }) {
  const { data: consumers = [] } = useAllConsumers({ forNames: true });
  const inWords = useMomentInWords();
  const { state, holdReason, outcome, eventType, httpStatus, paymentId, notificationId, from, to } = filter;
  const { delivered, settled } = filter;
  const consumer = consumers.find(({ id }) => id === filter.consumerId)?.name ?? filter.consumerId;
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['status', filter.status],
    ['state', state && STATES[state].label],
    ['', delivered === undefined ? undefined : delivered ? 'acknowledged' : 'not acknowledged'],
    ['dead,', settled === undefined ? undefined : settled ? 'settled' : 'not settled'],
    ['hold reason', holdReason && HOLDS[holdReason].label],
    ['consumer', consumer],
    ['payment', paymentId],
    ['notification', notificationId],
    ['kind', eventType && EVENT_TYPES[eventType].label],
    ['last outcome', outcome && OUTCOMES[outcome]],
    ['last HTTP status', httpStatus?.toString()],
    ['accepted from', from && inWords(from)],
    ['accepted before', to && inWords(to)],
  ];
  const given = parts.filter(([, value]) => value !== undefined);
  return (
    <span>
      {given.map(([name, value], index) => (
        <span key={name}>
          {index > 0 && ', '}
          {name !== '' && `${name} `}
          <Text span inherit fw={600} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </span>
      ))}
    </span>
  );
}
