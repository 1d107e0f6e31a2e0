import { Button, Group, SegmentedControl, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearchParams } from 'react-router';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { HistoryCharts } from './history-charts';
import { HistoryTable } from './history-table';
import { isRange, RANGES, type Range } from './ranges';
import { useStats } from './use-stats';

const CHOICES = Object.entries(RANGES).map(([value, { label }]) => ({ value, label }));

/** What happened lately, as charts, or as a table for whoever reads that better; of one consumer, or of all. */
export function HistoryPanel({ consumerId }: { consumerId?: string }) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('range');
  const range: Range = isRange(asked) ? asked : '1h';
  const [isTable, table] = useDisclosure(false);
  const { data, error, refetch } = useStats(range, consumerId);
  return (
    <Stack component="section" aria-labelledby="history" gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h3" id="history">
          What happened in {RANGES[range].words}
        </Title>
        <Group gap="sm">
          <SegmentedControl
            aria-label="How far back"
            data={CHOICES}
            value={range}
            onChange={(chosen) =>
              setSearch(
                (before) => {
                  const after = new URLSearchParams(before);
                  after.set('range', chosen);
                  return after;
                },
                { replace: true, preventScrollReset: true },
              )
            }
          />
          <Button variant="default" aria-pressed={isTable} onClick={table.toggle}>
            Show as a table
          </Button>
        </Group>
      </Group>
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState what="what happened" />}
      {data !== undefined && (isTable ? <HistoryTable stats={data} /> : <HistoryCharts stats={data} />)}
    </Stack>
  );
}
