import { ScrollArea, Text } from '@mantine/core';
import type { Schema } from '../../api/schema';
import { durationInWords } from '../../formats/duration-in-words';
import { inUtc } from '../../formats/moment-in-words';
import { DataTable, type Column } from '../../tables/data-table';
import { historyInWords, historyRows, type HistoryRow } from './history-rows';

const latency = (ms: number | null): string => (ms === null ? '–' : durationInWords(ms));

const COLUMNS: readonly Column<HistoryRow>[] = [
  { id: 'at', header: 'From', cell: ({ at }) => inUtc(new Date(at)) },
  { id: 'accepted', header: 'Accepted a minute', cell: ({ accepted }) => accepted },
  { id: 'delivered', header: 'Delivered a minute', cell: ({ delivered }) => delivered },
  { id: 'failed', header: 'Failed attempts a minute', cell: ({ failed }) => failed },
  { id: 'p50', header: 'Half arrive within', cell: ({ latencyP50Ms }) => latency(latencyP50Ms) },
  { id: 'p95', header: '95 of 100 within', cell: ({ latencyP95Ms }) => latency(latencyP95Ms) },
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
