import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api';
import { ProblemAlert } from '../../feedback';
import { JsonView } from '../../formats';
import { useMay } from '../../signed-in/use-me';

/** One event with its envelope and its deliveries. */
export const useEvent = (notificationId: string) =>
  useQuery({
    queryKey: ['events', notificationId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/events/{notificationId}', { params: { path: { notificationId } }, signal })),
  });

/** The envelope of an event, with masked account numbers until a person asks for them, which is audited. */
export function Envelope({ event }: { event: Schema<'EventDetailDto'> }) {
  const { notificationId, envelope, masked } = event;
  const isOnCall = useMay('oncall');
  const read = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/v1/events/{notificationId}/envelope', { params: { path: { notificationId } }, body: {} }),
      ),
    // The envelope is not kept in memory after it was shown.
    gcTime: 0,
  });
  const isMasked = masked && read.data === undefined;
  return (
    <>
      <Text size="sm" c="dimmed">
        {isMasked
          ? `Account numbers are masked to their last four characters. Consumers get them in full.${isOnCall ? '' : ' Showing them needs the role oncall.'}`
          : 'In full, as consumers get it: treat it as bank data.'}
      </Text>
      {isMasked && isOnCall && (
        <Group gap="sm">
          <Button variant="default" loading={read.isPending} onClick={() => read.mutate()}>
            Show account numbers
          </Button>
          <Text size="sm">Opening this view is audited.</Text>
        </Group>
      )}
      {read.error !== null && <ProblemAlert error={read.error} title="Account numbers cannot be shown" />}
      <JsonView what={isMasked ? 'Envelope, masked' : 'Envelope'} value={read.data?.envelope ?? envelope} />
    </>
  );
}
