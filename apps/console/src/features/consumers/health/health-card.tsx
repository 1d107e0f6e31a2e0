import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Time } from '../../../formats/time';
import { useNow } from '../../../formats/use-now';
import { nextProbeInWords, type Health } from '../consumer-health';
import { HealthBadge } from '../health-badge';
import type { Consumer } from '../use-all-consumers';

/** How the consumer stands, why, and what to do. */
export function HealthCard({ consumer, health }: { consumer: Consumer; health: Health }) {
  const { failuresInARow, circuit, state, pausedAt, pauseReason } = consumer;
  return (
    <Paper component="section" withBorder p="md" aria-label="Health now">
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">
            Health
          </Title>
          <HealthBadge health={health} />
        </Group>
        <Text>
          {health.why}{' '}
          {health.since !== null && (
            <>
              Since <Time at={health.since} />.
            </>
          )}
        </Text>
        {health.kind !== 'well' && (
          <Text>
            <strong>What to do:</strong> {health.whatToDo}
          </Text>
        )}
        {circuit !== null && <CircuitInWords circuit={circuit} />}
        {state === 'paused' && health.kind !== 'paused' && (
          <Text size="sm">
            It is paused as well, since <Time at={pausedAt} />
            {pauseReason !== null && `: ${pauseReason}`}.
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {failuresInARow === 0
            ? 'Its last attempt succeeded.'
            : `Failures in a row: ${String(failuresInARow)}.`}
        </Text>
      </Stack>
    </Paper>
  );
}

function CircuitInWords({ circuit }: { circuit: NonNullable<Consumer['circuit']> }) {
  const now = useNow();
  return (
    <Text size="sm">
      Taken to be down since <Time at={circuit.openedAt} />.{' '}
      {circuit.failedProbes === 0
        ? 'No trial delivery has failed yet.'
        : `${String(circuit.failedProbes)} trial ${circuit.failedProbes === 1 ? 'delivery has' : 'deliveries have'} failed since.`}{' '}
      {nextProbeInWords(circuit, now)}
    </Text>
  );
}
