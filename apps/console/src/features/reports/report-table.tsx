import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Schema } from '../../api/schema';
import { countInWords } from '../../formats/count-in-words';
import { durationInWords } from '../../formats/duration-in-words';
import { inUtc } from '../../formats/moment-in-words';
import styles from './report.module.css';

type Report = Schema<'ReportDto'>;
type Figures = Report['totals'];

const inWords = (ms: number | null): string => (ms === null ? '–' : durationInWords(ms));

const COLUMNS: readonly { header: string; cell: (row: Figures) => string }[] = [
  { header: 'Accepted', cell: ({ accepted }) => countInWords(accepted) },
  { header: 'Delivered', cell: ({ delivered }) => countInWords(delivered) },
  { header: 'Late', cell: ({ late }) => countInWords(late) },
  { header: 'Dead', cell: ({ dead }) => countInWords(dead) },
  { header: 'Cancelled', cell: ({ cancelled }) => countInWords(cancelled) },
  {
    header: 'Waiting',
    cell: ({ accepted, delivered, dead, cancelled }) =>
      countInWords(Math.max(0, accepted - delivered - dead - cancelled)),
  },
  { header: 'Median', cell: ({ p50Ms }) => inWords(p50Ms) },
  { header: '95th percentile', cell: ({ p95Ms }) => inWords(p95Ms) },
  { header: 'Downtime', cell: ({ downtimeMs }) => (downtimeMs === 0 ? '–' : inWords(downtimeMs)) },
];

const ALL = 'All consumers';

const captionOf = ({ from, to, lateAfterMs, source }: Report): string =>
  `${inUtc(new Date(from))} to ${inUtc(new Date(to))}. Late: delivered more than ${durationInWords(lateAfterMs)} after acceptance. ` +
  (source === 'deliveries'
    ? 'Every figure is exact.'
    : 'Too many deliveries to read one by one: figures are from the statistics of each minute.');

/** The report with tabs between its columns, for a message or a ticket. */
export const reportAsText = (report: Report): string =>
  [
    `Report ${captionOf(report)}`,
    ['Consumer', ...COLUMNS.map(({ header }) => header)].join('\t'),
    ...[...report.consumers, { ...report.totals, name: ALL }].map((row) =>
      [row.name, ...COLUMNS.map(({ cell }) => cell(row))].join('\t'),
    ),
  ].join('\n');

export function ReportTable({ report }: { report: Report }) {
  const { consumers, totals } = report;
  return (
    <div
      className={`${styles['scroll'] ?? ''} ${styles['printed'] ?? ''}`}
      tabIndex={0}
      role="region"
      aria-label="Report"
    >
      <Text size="sm" c="dimmed" role="status">
        {captionOf(report)}
      </Text>
      <Table striped highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {['Consumer', ...COLUMNS.map(({ header }) => header)].map((header) => (
              <Table.Th key={header} scope="col">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {consumers.map((row) => (
            <Table.Tr key={row.consumerId}>
              <Table.Th scope="row">
                <Anchor component={Link} to={`/consumers/${row.consumerId}`} inherit>
                  {row.name}
                </Anchor>
              </Table.Th>
              {COLUMNS.map(({ header, cell }) => (
                <Table.Td key={header}>{cell(row)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{ALL}</Table.Th>
            {COLUMNS.map(({ header, cell }) => (
              <Table.Td key={header} fw={700}>
                {cell(totals)}
              </Table.Td>
            ))}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </div>
  );
}
