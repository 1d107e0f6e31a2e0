import { ScrollArea, Text } from '@mantine/core';
import type { Schema } from '../../api/schema';
import { durationInWords } from '../../formats/duration-in-words';
import { Time } from '../../formats/time';
import { DataTable, type Column } from '../../tables/data-table';
import { historyInWords, historyRows, type HistoryRow } from './history-rows';

const latency = (ms: number | null): string => (ms === null ? '–' : durationInWords(ms));

const COLUMNS: readonly Column<HistoryRow>[] = [
  { id: 'at', header: 'From', cell: ({ at }) => <Time at={at} /> },
  { id: 'accepted', header: 'Accepted/min', cell: ({ accepted }) => accepted },
  { id: 'delivered', header: 'Delivered/min', cell: ({ delivered }) => delivered },
  { id: 'failed', header: 'Failed attempts/min', cell: ({ failed }) => failed },
  { id: 'p50', header: 'Median', cell: ({ latencyP50Ms }) => latency(latencyP50Ms) },
  { id: 'p95', header: '95th percentile', cell: ({ latencyP95Ms }) => latency(latencyP95Ms) },
];

/** The charts' numbers, the newest first; steps in which nothing happened are left out. */
export function HistoryTable({ stats }: { stats: Schema<'StatsDto'> }) {
  const rows = historyRows(stats)
    .filter(({ accepted, delivered, failed }) => accepted + delivered + failed > 0)
    .toReversed();
  return (
    <>
      <Text size="sm">{historyInWords(stats)} Steps in which nothing happened are left out.</Text>
      {rows.length > 0 && (
        <ScrollArea.Autosize
          mah={420}
          viewportProps={{ tabIndex: 0, 'aria-label': 'What happened', role: 'region' }}
        >
          <DataTable caption="What happened" columns={COLUMNS} rows={rows} rowId={({ at }) => at} />
        </ScrollArea.Autosize>
      )}
    </>
  );
}
