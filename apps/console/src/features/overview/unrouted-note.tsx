import { Alert, Anchor, Text } from '@mantine/core';
import { IconRouteOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Schema } from '../../api/schema';
import { countInWords } from '../../formats/count-in-words';

/** Events that concerned no consumer; silent when there are none. */
export function UnroutedNote({ unrouted }: { unrouted: Schema<'UnroutedDto'> }) {
  const { count, countIsCapped } = unrouted;
  if (count === 0) return null;
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconRouteOff />}
      title={`${countInWords(count, countIsCapped)} ${count === 1 ? 'event' : 'events'} went to nobody`}
    >
      <Text size="sm">
        They matched no consumer when they were accepted (unrouted), in the last 90 days. A company id may be
        missing from a consumer, or a consumer was registered too late.{' '}
        <Anchor component={Link} to="/payments?unrouted=true" inherit underline="always">
          See them and send them
        </Anchor>
      </Text>
    </Alert>
  );
}
