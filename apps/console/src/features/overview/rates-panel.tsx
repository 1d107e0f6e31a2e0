import { SimpleGrid, Stack, Title } from '@mantine/core';
import type { Schema } from '../../api/schema';
import { countInWords } from '../../formats/count-in-words';
import { Figure } from './figure';

/** What happens per minute, now. */
export function RatesPanel({ rates }: { rates: Schema<'QueueRatesDto'> }) {
  const { acceptedPerMinute, deliveredPerMinute, failedPerMinute, successRate } = rates;
  return (
    <Stack component="section" aria-labelledby="rates" gap="sm">
      <Title order={2} size="h3" id="rates">
        The last five minutes
      </Title>
      <SimpleGrid component="dl" cols={{ base: 2, md: 4 }} m={0}>
        <Figure
          name="Success rate"
          value={successRate === null ? '–' : `${String(Math.floor(successRate * 1_000) / 10)} %`}
          about={successRate === null ? 'Nothing was tried' : 'of all attempts were acknowledged'}
        />
        <Figure name="Accepted" value={countInWords(acceptedPerMinute)} about="events a minute" />
        <Figure name="Delivered" value={countInWords(deliveredPerMinute)} about="deliveries a minute" />
        <Figure name="Failed" value={countInWords(failedPerMinute)} about="attempts a minute" />
      </SimpleGrid>
    </Stack>
  );
}
