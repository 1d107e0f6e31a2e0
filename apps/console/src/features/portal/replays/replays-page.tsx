import { Button, Group, Progress, Text } from '@mantine/core';
import { answerOf, api, type Schema } from '../../../api';
import { EmptyState, useCommand } from '../../../feedback';
import { countInWords, Time } from '../../../formats';
import { Page } from '../../../page/page';
import { type Column, ListView, useListPage } from '../../../tables';
import { OWN } from '../own-queries';
import { StartReplay } from './start-replay';

type Replay = Schema<'ReplayDto'>;

const WHILE_RUNNING_MS = 1_000;

const STATES: Readonly<Record<Replay['state'], string>> = {
  running: 'Running',
  finished: 'Finished',
  stopped: 'Stopped',
  failed: 'Failed',
};

const COLUMNS: readonly Column<Replay>[] = [
  {
    header: 'Period',
    cell: ({ from, to }) => (
      <>
        <Time at={from} isExact /> to <Time at={to} absent="its start" isExact />
      </>
    ),
  },
  { header: 'Which', cell: ({ scope }) => (scope === 'missed' ? 'Not delivered' : 'All') },
  { header: 'State', cell: (replay) => <State replay={replay} /> },
  { header: 'Notifications', cell: ({ changed }) => countInWords(changed), isNumber: true },
  { header: 'Started by', cell: ({ createdBy }) => createdBy },
  { header: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The own replays, and the form that starts one. */
export function PortalReplaysPage() {
  const replays = useListPage(
    [OWN, 'replays'],
    (query, signal) => answerOf(api.GET('/v1/portal/replays', { params: { query }, signal })),
    {
      refetchInterval: ({ state: { data } }) =>
        data?.replays.some(({ state }) => state === 'running') === true ? WHILE_RUNNING_MS : 10_000,
    },
  );
  return (
    <Page
      title="Sent again"
      about="We send again what your system missed, for example in an outage. Each notification keeps its id, by which your software recognises it."
    >
      <StartReplay />
      <ListView
        list={replays}
        rows={replays.data?.replays}
        caption="Sent again"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty={
          <EmptyState title="Nothing yet">
            What you have sent again appears here with its progress.
          </EmptyState>
        }
      />
    </Page>
  );
}

function State({ replay: { id, state, processed, matched } }: { replay: Replay }) {
  const run = useCommand();
  const params = { path: { id } };
  return (
    <Group gap="xs">
      <Text>{STATES[state]}</Text>
      {state === 'running' && (
        <>
          {matched !== null && matched > 0 && (
            <Progress
              w={80}
              value={(processed / matched) * 100}
              aria-label={`${String(processed)} of ${String(matched)}`}
            />
          )}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              void run(
                answerOf(api.POST('/v1/portal/replays/{id}/stop', { params, body: {} })),
                'Stopped',
                'What was found until now is still sent.',
              )
            }
          >
            Stop
          </Button>
        </>
      )}
    </Group>
  );
}
