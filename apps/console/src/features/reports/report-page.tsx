import { Button, CopyButton } from '@mantine/core';
import { IconCopy, IconPrinter } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { answerOf, api } from '../../api';
import { DownloadButton, EmptyState, QueryState } from '../../feedback';
import { useMomentInWords } from '../../formats';
import { Page } from '../../page/page';
import { type Filter, FilterBar, useChangeFilters, useUrlFilters } from '../../tables';
import { reportAsText, ReportTable, type Report } from './report-table';

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

const isEmpty = ({ totals, consumers }: Report): boolean =>
  totals.accepted === 0 && consumers.every(({ downtimeMs }) => downtimeMs === 0);

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
