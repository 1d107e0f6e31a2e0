import { Alert, Button, Group, Text } from '@mantine/core';
import { IconRouteOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api, doneBy, type Schema } from '../../api';
import { useCommand } from '../../feedback';
import { countInWords, Time } from '../../formats';
import { QUEUE } from '../../queries/queue-query';
import { useMay } from '../../signed-in/use-me';

/** The unrouted events that no operator has marked as seen, and the button that marks them; nothing when there are none. */
export function NewUnroutedEvents(props: Schema<'UnroutedDto'> & { children?: ReactNode }) {
  const { count, countIsCapped, seenUntil, until, children } = props;
  const isOnCall = useMay('oncall');
  const run = useCommand();
  if (count === 0) return null;
  const markSeen = (): Promise<void> =>
    run(
      doneBy(api.POST('/v1/events/unrouted/seen', { body: { until } })),
      'Marked as seen',
      'The overview shows newer unrouted events only.',
      QUEUE.queryKey,
    );
  return (
    <Alert
      color="yellow"
      p="xs"
      icon={<IconRouteOff />}
      title={`${countInWords(count, countIsCapped)} new unrouted ${count === 1 ? 'event' : 'events'}`}
    >
      <Group justify="space-between">
        <Text size="sm">
          {seenUntil === null ? (
            'In the last 90 days'
          ) : (
            <>
              Since <Time at={seenUntil} />
            </>
          )}
          , no consumer matched these events: a company id is missing in a consumer’s settings, or the
          consumer was registered later. {children}
        </Text>
        {isOnCall && (
          <Button size="compact-sm" variant="default" onClick={() => void markSeen()}>
            Mark as seen
          </Button>
        )}
      </Group>
    </Alert>
  );
}
