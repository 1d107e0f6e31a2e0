import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schema } from '../../api';
import { countInWords, durationInWords, durationOrDash, keysOf, useMomentInWords } from '../../formats';
import { DataTable } from '../../tables';

export type Report = Schema<'ReportDto'>;
type ConsumerRow = Report['consumers'][number];
/** A consumer, or all together: their downtimes overlap and have no sum. */
type Row = Report['totals'] &
  Pick<ConsumerRow, 'name'> & { consumerId: string | null; downtimeMs: number | null };

/** The columns after the name; the compiler refuses a figure that is missing. The CSV of the api has the same. */
const FIGURES: Readonly<
  Record<Exclude<keyof ConsumerRow, 'consumerId' | 'name'>, { header: string; cell: (row: Row) => string }>
> = {
  accepted: { header: 'Accepted', cell: ({ accepted }) => countInWords(accepted) },
  delivered: { header: 'Delivered', cell: ({ delivered }) => countInWords(delivered) },
  late: { header: 'Late', cell: ({ late }) => countInWords(late) },
  replayedOrPaused: {
    header: 'Replayed or paused',
    cell: ({ replayedOrPaused }) => (replayedOrPaused === null ? '–' : countInWords(replayedOrPaused)),
  },
  dead: { header: 'Dead', cell: ({ dead }) => countInWords(dead) },
  cancelled: { header: 'Cancelled', cell: ({ cancelled }) => countInWords(cancelled) },
  waiting: { header: 'Waiting', cell: ({ waiting }) => countInWords(waiting) },
  p50Ms: { header: 'Median', cell: ({ p50Ms }) => durationOrDash(p50Ms) },
  p95Ms: { header: '95th percentile', cell: ({ p95Ms }) => durationOrDash(p95Ms) },
  downtimeMs: {
    header: 'Downtime',
    cell: ({ downtimeMs }) => durationOrDash(downtimeMs === 0 ? null : downtimeMs),
  },
};
const COLUMNS = [
  { header: 'Consumer', cell: ({ name }: Row) => name },
  ...keysOf(FIGURES).map((figure) => ({ ...FIGURES[figure], isNumber: true })),
];

const totalOf = ({ totals }: Report): Row => ({
  ...totals,
  consumerId: null,
  name: 'All consumers',
  downtimeMs: null,
});

const captionOf = ({ from, to, lateAfterMs, source }: Report, moment: (at: string) => string): string =>
  `${moment(from)} to ${moment(to)}. Late: delivered more than ${durationInWords(lateAfterMs)} after acceptance. ` +
  'Median and 95th percentile: the time from acceptance to delivery. ' +
  (source === 'deliveries'
    ? 'Replayed or paused: delivered after a replay or after a pause of sending; not late, and not in the median and the 95th percentile. '
    : 'Too many deliveries to read one by one: figures are from the statistics of each minute, late and the percentiles are approximate and include replays and pauses. ') +
  'Downtime: how long the circuit was open.';

/** The report as tab-separated text, for a message or a ticket. */
export const reportAsText = (report: Report, moment: (at: string) => string): string =>
  [
    `Report ${captionOf(report, moment)}`,
    COLUMNS.map(({ header }) => header).join('\t'),
    ...[...report.consumers, totalOf(report)].map((row) => COLUMNS.map(({ cell }) => cell(row)).join('\t')),
  ].join('\n');

/** A row takes a browser half a millisecond. */
const SHOWN_AT_FIRST = 200;

/** The consumers, and all of them together. */
export function ReportTable({ report }: { report: Report }) {
  const moment = useMomentInWords();
  const [isWhole, setIsWhole] = useState(false);
  const { consumers } = report;
  const shown = isWhole ? consumers : consumers.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {captionOf(report, moment)}
      </Text>
      <DataTable<Row>
        caption="Report"
        columns={COLUMNS}
        rows={shown}
        total={totalOf(report)}
        rowId={({ consumerId }) => consumerId ?? 'total'}
        rowLink={({ consumerId }) => `/consumers/${consumerId ?? ''}`}
        isDense
      />
      {shown.length < consumers.length && (
        <Group>
          <Button variant="default" onClick={() => setIsWhole(true)}>
            Show all {countInWords(consumers.length)} consumers
          </Button>
        </Group>
      )}
    </>
  );
}
