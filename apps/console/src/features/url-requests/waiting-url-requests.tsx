import { Alert, Text } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import { TextLink } from '../../formats';
import { useWaitingUrlRequests } from './url-request-queries';

/** Which consumers have requested another URL; nothing when none waits. */
export function WaitingUrlRequests() {
  const { data } = useWaitingUrlRequests();
  const count = data?.urlRequests.length ?? 0;
  if (data === undefined || count === 0) return null;
  const counted = data.pagination.moreRecords ? `${String(count)} or more` : String(count);
  return (
    <Alert
      color="blue"
      p="xs"
      icon={<IconWorld />}
      title={`${counted} requested ${count === 1 ? 'URL waits' : 'URLs wait'} for an operator`}
    >
      {data.urlRequests.map(({ id, consumerId, consumerName }) => (
        <Text key={id} size="sm" span mr="sm">
          <TextLink to={`/consumers/${consumerId}?tab=portal`}>{consumerName}</TextLink>
        </Text>
      ))}
    </Alert>
  );
}
