import { Button, CopyButton, Table, Text } from '@mantine/core';
import { IconCopy, IconPrinter } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { answerOf, api, type Schema } from '../../api';
import { DownloadButton, EmptyState, QueryState } from '../../feedback';
import { countInWords, durationInWords, durationOrDash, TextLink, useMomentInWords } from '../../formats';
import { Page } from '../../page/page';
import { type Filter, FilterBar, useChangeFilters, useUrlFilters } from '../../tables';
import styles from './report.module.css';

type Report = Schema<'ReportDto'>;

const NAMES = ['from', 'to', 'lateAfterMs'] as const;
const DAY_MS = 86_400_000;
const LONGEST_DAYS = 30;

/** To the minute, as the field shows it. */
const daysAgo = (days: number): string =>
  `${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 16)}:00Z`;
const FILTERS: readonly Filter<(typeof NAMES)[number]>[] = [
  { kind: 'moment', name: 'from', label: 'Accepted from' },
  { kind: 'moment', name: 'to', label: 'Accepted before' },
  {
    kind: 'choice',
    name: 'lateAfterMs',
    label: 'Late after',
    choices: [
      { value: '10000', label: '10 s' },
      { value: '60000', label: '1 min' },
      { value: '300000', label: '5 min' },
      { value: '900000', label: '15 min' },
    ],
  },
];

/** Deliveries by consumer in a time range; the default is the last 24 hours. */
export function ReportPage() {
  const { values, set, clear } = useUrlFilters(NAMES);
  const { lateAfterMs = '60000', ...times } = values;
  const query = { ...times, lateAfterMs: Number(lateAfterMs) };
  const inWords = useMomentInWords();
  const isChosen = times.from !== undefined || times.to !== undefined;
  const report = useQuery({
    queryKey: ['reports', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/reports/consumers', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    // It can read a million deliveries.
    refetchInterval: 60_000,
    enabled: isChosen,
  });
  const { data } = report;
  const load = (): Promise<Blob> =>
    answerOf(
      api.GET('/v1/reports/consumers', {
        params: { query },
        headers: { accept: 'text/csv' },
        parseAs: 'blob',
      }),
    );
  if (!isChosen)
    return <Navigate replace to={`?${new URLSearchParams({ ...values, from: daysAgo(1) }).toString()}`} />;
  return (
    <Page
      title="Report"
      about="The status changes that were accepted for each consumer in a time, and what became of them."
      actions={
        data !== undefined && (
          <>
            <DownloadButton
              label="Download CSV"
              file={`report-${data.from.slice(0, 10)}-to-${data.to.slice(0, 10)}.csv`}
              load={load}
            />
            <CopyButton value={reportAsText(data, inWords)}>
              {({ copied, copy }) => (
                <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={copy}>
                  {copied ? 'Copied' : 'Copy as text'}
                </Button>
              )}
            </CopyButton>
            <Button
              variant="default"
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={() => window.print()}
            >
              Print
            </Button>
          </>
        )
      }
    >
      <FilterBar filters={FILTERS} values={{ ...times, lateAfterMs }} onSet={set} onClear={clear} />
      <QueryState query={report} what="report" />
      {data !== undefined && (isEmpty(data) ? <EmptyReport report={data} /> : <ReportTable report={data} />)}
    </Page>
  );
}

const isEmpty = ({ totals }: Report): boolean => totals.accepted === 0 && totals.downtimeMs === 0;

/** Why the report is empty, with a longer time to look at. */
function EmptyReport({ report: { from, to } }: { report: Report }) {
  const moment = useMomentInWords();
  const change = useChangeFilters();
  return (
    <EmptyState title="Nothing was accepted in this time">
      No status change was accepted for any consumer from {moment(from)} to {moment(to)}.
      {from > daysAgo(LONGEST_DAYS - 1) && (
        <div>
          <Button mt="md" variant="default" onClick={() => change({ from: daysAgo(LONGEST_DAYS), to: null })}>
            Show the last {LONGEST_DAYS} days
          </Button>
        </div>
      )}
    </EmptyState>
  );
}

/** The columns of each consumer, and of the total. */
const COLUMNS: readonly (readonly [header: string, cell: (row: Report['totals']) => string])[] = [
  ['Accepted', ({ accepted }) => countInWords(accepted)],
  ['Delivered', ({ delivered }) => countInWords(delivered)],
  ['Late', ({ late }) => countInWords(late)],
  ['Dead', ({ dead }) => countInWords(dead)],
  ['Cancelled', ({ cancelled }) => countInWords(cancelled)],
  ['Waiting', (row) => countInWords(Math.max(0, row.accepted - row.delivered - row.dead - row.cancelled))],
  ['Median', ({ p50Ms }) => durationOrDash(p50Ms)],
  ['95th percentile', ({ p95Ms }) => durationOrDash(p95Ms)],
  ['Downtime', ({ downtimeMs }) => durationOrDash(downtimeMs === 0 ? null : downtimeMs)],
];
const HEADERS = ['Consumer', ...COLUMNS.map(([header]) => header)];
const cellsOf = (row: Report['totals']): string[] => COLUMNS.map(([, cell]) => cell(row));

const rowsOf = ({ consumers, totals }: Report) => [
  ...consumers.map((row) => ({ id: row.consumerId, name: row.name, cells: cellsOf(row) })),
  { id: null, name: 'All consumers', cells: cellsOf(totals) },
];

const captionOf = ({ from, to, lateAfterMs, source }: Report, moment: (at: string) => string): string =>
  `${moment(from)} to ${moment(to)}. Late: delivered more than ${durationInWords(lateAfterMs)} after acceptance. ` +
  'Median and 95th percentile: the time from acceptance to delivery. Downtime: how long the circuit was open.' +
  (source === 'deliveries'
    ? ''
    : ' Too many deliveries to read one by one: figures are from the statistics of each minute, and late and the percentiles are approximate.');

/** The report as tab-separated text, for a message or a ticket. */
const reportAsText = (report: Report, moment: (at: string) => string): string =>
  [
    `Report ${captionOf(report, moment)}`,
    HEADERS.join('\t'),
    ...rowsOf(report).map(({ name, cells }) => [name, ...cells].join('\t')),
  ].join('\n');

/** A row takes a browser half a millisecond. */
const SHOWN_AT_FIRST = 200;

function ReportTable({ report }: { report: Report }) {
  const moment = useMomentInWords();
  const [isWhole, setIsWhole] = useState(false);
  const rows = rowsOf(report);
  const shown = isWhole ? rows : rows.filter(({ id }, index) => id === null || index < SHOWN_AT_FIRST);
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
          {shown.map(({ id, name, cells }) => (
            <Table.Tr key={id} {...(id === null ? { fw: 700 } : {})}>
              <Table.Th scope="row">
                {id === null ? name : <TextLink to={`/consumers/${id}`}>{name}</TextLink>}
              </Table.Th>
              {cells.map((cell, column) => (
                <Table.Td key={HEADERS[column + 1]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < rows.length && (
        <Button variant="default" mt="sm" onClick={() => setIsWhole(true)}>
          Show all {countInWords(rows.length - 1)} consumers
        </Button>
      )}
    </div>
  );
}
