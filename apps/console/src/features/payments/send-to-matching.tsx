import { Button, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../api';
import { LoadingState, ProblemAlert, ReasonDialog, useCommand } from '../../feedback';
import { countInWords } from '../../formats';
import { useConsumerNames } from '../../queries/use-consumers';
import { addUp, eventsInWords, inBatches } from './unrouted-batches';

/** The largest page of the api. */
const PAGE = 1_000;

/** The ids of all unrouted events that were accepted before a moment. */
async function unroutedIds(to: string, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const query = { unrouted: true, to, offset: ids.length, limit: PAGE };
    const { events, pagination } = await answerOf(api.GET('/v1/events', { params: { query }, signal }));
    ids.push(...events.map(({ notificationId }) => notificationId));
    if (!pagination.moreRecords) return ids;
  }
}

const post = (body: Schema<'SendUnroutedDto'>, signal?: AbortSignal) =>
  answerOf(api.POST('/v1/events/unrouted/send', { body, ...(signal === undefined ? {} : { signal }) }));

/** The consumers that match the unrouted events now, and the batches of events that have any. */
function useMatching(to: string | null) {
  return useQuery({
    queryKey: ['unrouted-preview', to],
    enabled: to !== null,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const counted = [];
      for (const notificationIds of inBatches(await unroutedIds(to ?? '', signal))) {
        const body = { notificationIds, reason: 'only counts', dryRun: true };
        counted.push({ notificationIds, answer: await post(body, signal) });
      }
      return {
        batches: counted.filter(({ answer }) => answer.sent > 0),
        total: addUp(counted.map(({ answer }) => answer)),
      };
    },
  });
}

const sentInWords = ({ sent, notSent }: Schema<'UnroutedSentDto'>): string =>
  `${countInWords(sent)} of the events are being sent.${notSent === 0 ? '' : ` Without a matching consumer: ${countInWords(notSent)}.`}`;

/** The button that sends all unrouted events to the consumers that match them today, after a preview. */
export function SendToMatching() {
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const preview = useMatching(openedAt);
  const names = useConsumerNames(preview.data?.total.consumers.map(({ consumerId }) => consumerId) ?? []);
  const run = useCommand();
  const send = async (reason: string) => {
    const answers: Schema<'UnroutedSentDto'>[] = [];
    for (const { notificationIds } of preview.data?.batches ?? [])
      answers.push(await post({ notificationIds, reason }));
    return addUp(answers);
  };
  const total = preview.data?.total;
  return (
    <div>
      <Button variant="default" onClick={() => setOpenedAt(new Date().toISOString())}>
        Send to matching consumers …
      </Button>
      <ReasonDialog
        opened={openedAt !== null}
        onClose={() => setOpenedAt(null)}
        title="Send to matching consumers"
        confirm={total === undefined ? 'Send' : `Send ${eventsInWords(total.sent)}`}
        isComplete={total !== undefined && total.sent > 0}
        problemTitle="Not all events were sent"
        onConfirm={(reason) => run(send(reason), 'Sent', sentInWords)}
        effect={
          <Stack gap="sm">
            {preview.isLoading && <LoadingState what="the consumers that match" />}
            {preview.error !== null && (
              <ProblemAlert
                error={preview.error}
                title="Could not find the consumers that match"
                onRetry={() => void preview.refetch()}
              />
            )}
            {total !== undefined && (
              <div role="status">
                <Text fw={700}>
                  {countInWords(total.sent)} of {countInWords(total.sent + total.notSent)} unrouted events
                  match a consumer now
                </Text>
                <List size="sm">
                  {total.consumers.map(({ consumerId, events }) => (
                    <List.Item key={consumerId}>
                      {names.get(consumerId) ?? consumerId}: {eventsInWords(events)}
                    </List.Item>
                  ))}
                </List>
              </div>
            )}
            <Text>
              These are the events of all pages. A consumer matches if it was registered, or got its company
              id, after the event was accepted. The events are sent in order; the others stay unrouted. What
              has arrived cannot be recalled.
            </Text>
          </Stack>
        }
      />
    </div>
  );
}
