import { Text } from '@mantine/core';
import { useMomentInWords } from '../../formats';
import { useConsumerNames } from '../../queries/use-consumers';
import type { DeliveryFilter } from '../delivery-filter/delivery-fields';
import { partsOf } from '../delivery-filter/delivery-filters';

/** A filter as one line: `state Dead, consumer Acme`. */
export function FilterInWords({ filter }: { filter: DeliveryFilter }) {
  const names = useConsumerNames([filter.consumerId]);
  const moment = useMomentInWords();
  const consumer = (wanted: string): string => names.get(wanted) ?? wanted;
  return (
    <span>
      {partsOf(filter, { consumer, moment }).map(({ name, word, value }, index) => (
        <span key={name}>
          {index > 0 && ', '}
          {word !== '' && `${word} `}
          <Text span inherit fw={600} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </span>
      ))}
    </span>
  );
}
