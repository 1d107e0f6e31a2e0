import { Button, Group, ScrollArea, SegmentedControl, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { answerOf, api, type Schema } from '../../api';
import { QueryState } from '../../feedback';
import { durationOrDash, Time } from '../../formats';
import { Section } from '../../page/section';
import { type Column, DataTable, useChangeFilters } from '../../tables';
import { HistoryCharts } from './history-charts';
import { historyInWords, historyRows, isIdle, type HistoryRow, type Outage } from './history-rows';

const HOUR_MS = 3_600_000;
const NONE: readonly Outage[] = [];

/** How far back the charts look; the first is the default. */
const RANGES = [
  { value: '1h', label: '1 h', words: 'the last hour', ms: HOUR_MS, refreshMs: 10_000 },
  { value: '6h', label: '6 h', words: 'the last 6 hours', ms: 6 * HOUR_MS, refreshMs: 30_000 },
  { value: '24h', label: '24 h', words: 'the last 24 hours', ms: 24 * HOUR_MS, refreshMs: 60_000 },
  { value: '7d', label: '7 d', words: 'the last 7 days', ms: 168 * HOUR_MS, refreshMs: 120_000 },
] as const;

interface HistoryPanelProps {
  consumerId?: string;
  /** Marked in the charts; must be stable between renders. */
  outages?: readonly Outage[];
}

/** Recent figures of one consumer or of all, as charts or as a table. */
export function HistoryPanel({ consumerId, outages = NONE }: HistoryPanelProps) {
  const [search] = useSearchParams();
  const change = useChangeFilters();
  const range = RANGES.find(({ value }) => value === search.get('range')) ?? RANGES[0];
  const [isTable, table] = useDisclosure(false);
  const query = useStats(range, consumerId);
  const { data } = query;
  return (
    <Section title={`What happened in ${range.words}`} id="history">
      <Group gap="sm">
        {data !== undefined && (
          <Text size="sm" flex={1} miw={240}>
            {historyInWords(data)} {isTable && 'Steps in which nothing happened are left out.'}
          </Text>
        )}
        <SegmentedControl
          aria-label="How far back"
          size="xs"
          data={[...RANGES]}
          value={range.value}
          onChange={(chosen) => change({ range: chosen }, { isCorrection: true })}
        />
        <Button variant="default" size="compact-sm" aria-pressed={isTable} onClick={table.toggle}>
          Show as a table
        </Button>
      </Group>
      <QueryState query={query} what="history" />
      {data !== undefined &&
        (isTable ? <HistoryTable stats={data} /> : <HistoryCharts stats={data} outages={outages} />)}
    </Section>
  );
}

/** The figures of each step of a range that ends now. */
const useStats = ({ value, ms, refreshMs }: (typeof RANGES)[number], consumerId: string | undefined) =>
  useQuery({
    queryKey: ['stats', value, consumerId],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - ms).toISOString();
      const query = consumerId === undefined ? { from } : { from, consumerId };
      return answerOf(api.GET('/v1/stats', { params: { query }, signal }));
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });

const COLUMNS: readonly Column<HistoryRow>[] = [
  { header: 'From', cell: ({ at }) => <Time at={at} isExact /> },
  { header: 'Accepted/min', cell: ({ accepted }) => accepted, isNumber: true },
  { header: 'Delivered/min', cell: ({ delivered }) => delivered, isNumber: true },
  { header: 'Failed attempts/min', cell: ({ failedAttempts }) => failedAttempts, isNumber: true },
  { header: 'Median', cell: ({ latencyP50Ms }) => durationOrDash(latencyP50Ms), isNumber: true },
  { header: '95th percentile', cell: ({ latencyP95Ms }) => durationOrDash(latencyP95Ms), isNumber: true },
];

/** The numbers of the charts, newest first, without empty steps. */
function HistoryTable({ stats }: { stats: Schema<'StatsDto'> }) {
  const rows = historyRows(stats)
    .filter((row) => !isIdle(row))
    .toReversed();
  if (rows.length === 0) return null;
  const viewport = { tabIndex: 0, 'aria-label': 'What happened', role: 'region' };
  return (
    <ScrollArea.Autosize mah={420} viewportProps={viewport}>
      <DataTable caption="What happened" columns={COLUMNS} rows={rows} rowId={({ at }) => at} />
    </ScrollArea.Autosize>
  );
}
