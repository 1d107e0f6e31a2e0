import { Button, Group, Paper, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { useSearchParams } from 'react-router';
import { answerOf, api, type Schema } from '../../../api';
import { ProblemAlert } from '../../../feedback';
import { deliveriesInWords, MomentField } from '../../../formats';

type Body = Schema<'StartReplayDto'>;

const isPreview = (
  answer: Schema<'ReplayPreviewDto'> | Schema<'ReplayDto'>,
): answer is Schema<'ReplayPreviewDto'> => !('id' in answer);

/** Counts the deliveries of a period, and sends them again after a confirmation of the number. */
export function StartReplay() {
  const client = useQueryClient();
  // The overview knows since when the server fails.
  const [search] = useSearchParams();
  const [from, setFrom] = useState(search.get('from') ?? '');
  const [to, setTo] = useState('');
  const [scope, setScope] = useState<NonNullable<Body['scope']>>('missed');
  const period = { from, scope, ...(to === '' ? {} : { to }) };
  const post = (body: Body) => answerOf(api.POST('/v1/portal/replays', { body }));
  const count = useMutation({
    mutationFn: async () => {
      const answer = await post({ ...period, dryRun: true });
      return isPreview(answer) ? answer.matched : null;
    },
  });
  const start = useMutation({
    mutationFn: (expectedCount: number) => post({ ...period, expectedCount }),
    onSuccess: () => client.invalidateQueries(),
  });
  /** A count is about the period that was counted. */
  const changed = (): void => {
    count.reset();
    start.reset();
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    changed();
    count.mutate();
  };
  const matched = count.data;
  return (
    <Paper withBorder p="md" maw={640}>
      <form onSubmit={submit}>
        <Stack>
          <Group grow align="flex-start">
            <MomentField
              label="Created from"
              required
              value={from}
              onChange={(value) => {
                setFrom(value);
                changed();
              }}
            />
            <MomentField
              label="Created before"
              description="Empty: until now"
              value={to}
              onChange={(value) => {
                setTo(value);
                changed();
              }}
            />
          </Group>
          <Radio.Group
            label="Which"
            value={scope}
            onChange={(value) => {
              setScope(value === 'all' ? 'all' : 'missed');
              changed();
            }}
          >
            <Stack gap="xs" mt="xs">
              <Radio
                value="missed"
                label="What was not delivered"
                description="Also what still waits. What the bank has cancelled is counted, but not sent"
              />
              <Radio value="all" label="All" description="Also what your server has accepted" />
            </Stack>
          </Radio.Group>
          <Group>
            <Button type="submit" variant="default" disabled={from === ''} loading={count.isPending}>
              Count
            </Button>
            {matched === null && <Text>There are too many to count. Shorten the period.</Text>}
            {matched === 0 && <Text>There is nothing to resend in this period.</Text>}
            {typeof matched === 'number' && matched > 0 && !start.isSuccess && (
              <Button loading={start.isPending} onClick={() => start.mutate(matched)}>
                Resend {deliveriesInWords(matched)}
              </Button>
            )}
          </Group>
          <div role="status">
            {start.isSuccess && (
              <Text>
                It has begun. We send the notifications when your server accepts them. The progress is below.
              </Text>
            )}
          </div>
          {count.error !== null && <ProblemAlert error={count.error} title="Not counted" />}
          {start.error !== null && <ProblemAlert error={start.error} title="Nothing is sent again" />}
        </Stack>
      </form>
    </Paper>
  );
}
