import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Schema } from '../../api/schema';
import { countInWords } from '../../formats/count-in-words';
import { durationInWords } from '../../formats/duration-in-words';
import { useMomentInWords } from '../../formats/time';
import styles from './report.module.css';

type Report = Schema<'ReportDto'>;

const inWords = (ms: number | null): string => (ms === null ? '–' : durationInWords(ms));

const HEADERS = [
  'Consumer',
  'Accepted',
  'Delivered',
  'Late',
  'Dead',
  'Cancelled',
  'Waiting',
  'Median',
  '95th percentile',
  'Downtime',
] as const;

/** A row's cells after its name. */
const cellsOf = ({ accepted, delivered, late, dead, cancelled, ...row }: Report['totals']): string[] => [
  ...[accepted, delivered, late, dead, cancelled, Math.max(0, accepted - delivered - dead - cancelled)].map(
    (count) => countInWords(count),
  ),
  inWords(row.p50Ms),
  inWords(row.p95Ms),
  row.downtimeMs === 0 ? '–' : inWords(row.downtimeMs),
];

const rowsOf = ({ consumers, totals }: Report) => [
  ...consumers.map((row) => ({ id: row.consumerId, name: row.name, cells: cellsOf(row) })),
  { id: null, name: 'All consumers', cells: cellsOf(totals) },
];

const captionOf = ({ from, to, lateAfterMs, source }: Report, moment: (at: string) => string): string =>
  `${moment(from)} to ${moment(to)}. Late: delivered more than ${durationInWords(lateAfterMs)} after acceptance. ` +
  (source === 'deliveries'
    ? 'Every figure is exact.'
    : 'Too many deliveries to read one by one: figures are from the statistics of each minute.');

/** The report with tabs between its columns, for a message or a ticket. */
export const reportAsText = (report: Report, moment: (at: string) => string): string =>
  [
    `Report ${captionOf(report, moment)}`,
    HEADERS.join('\t'),
    ...rowsOf(report).map(({ name, cells }) => [name, ...cells].join('\t')),
  ].join('\n');

export function ReportTable({ report }: { report: Report }) {
  const moment = useMomentInWords();
  return (
    <div className={styles['report']} tabIndex={0} role="region" aria-label="Report">
      <Text size="sm" c="dimmed" role="status">
        {captionOf(report, moment)}
      </Text>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {HEADERS.map((header) => (
              <Table.Th key={header} scope="col">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rowsOf(report).map(({ id, name, cells }) => (
            <Table.Tr key={id} {...(id === null ? { fw: 700 } : {})}>
              <Table.Th scope="row">
                {id === null ? (
                  name
                ) : (
                  <Anchor component={Link} to={`/consumers/${id}`} inherit>
                    {name}
                  </Anchor>
                )}
              </Table.Th>
              {cells.map((cell, column) => (
                <Table.Td key={HEADERS[column + 1]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
