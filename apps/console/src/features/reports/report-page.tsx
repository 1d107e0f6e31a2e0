import { Button, CopyButton } from '@mantine/core';
import { IconCopy, IconPrinter } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import { DownloadButton } from '../../feedback/download-button';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { useMomentInWords } from '../../formats/time';
import { useZone } from '../../formats/use-zone';
import { Page } from '../../layout/page';
import { FilterBar, type Filter } from '../../tables/filter-bar';
import { lastNight } from '../../tables/presets';
import { useUrlFilters } from '../../tables/use-url-filters';
import { ReportTable, reportAsText } from './report-table';

const NAMES = ['from', 'to', 'lateAfterMs'] as const;
const LATE_AFTER = [
  ['10000', '10 s'],
  ['60000', '1 min'],
  ['300000', '5 min'],
  ['900000', '15 min'],
] as const;
const FILTERS: readonly Filter<(typeof NAMES)[number]>[] = [
  { kind: 'moment', name: 'from', label: 'From' },
  { kind: 'moment', name: 'to', label: 'Before' },
  {
    kind: 'choice',
    name: 'lateAfterMs',
    label: 'Late after',
    choices: LATE_AFTER.map(([value, label]) => ({ value, label })),
  },
];

/** What each consumer was sent in a time; without one in the URL, last night. */
export function ReportPage() {
  const { values, set, clear } = useUrlFilters(NAMES);
  const { lateAfterMs = '60000', ...times } = values;
  const query = { ...times, lateAfterMs: Number(lateAfterMs) };
  const inWords = useMomentInWords();
  const isChosen = times.from !== undefined || times.to !== undefined;
  const { data, error, refetch } = useQuery({
    queryKey: ['reports', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/reports/consumers', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    enabled: isChosen,
  });
  const load = (): Promise<Blob> =>
    answerOf(
      api.GET('/v1/reports/consumers', {
        params: { query },
        headers: { accept: 'text/csv' },
        parseAs: 'blob',
      }),
    );
  const zone = useZone();
  if (!isChosen)
    return (
      <Navigate
        replace
        to={`?${new URLSearchParams({ ...values, ...lastNight(Date.now(), zone) }).toString()}`}
      />
    );
  return (
    <Page
      title="Report"
      about="What each consumer was sent: deliveries accepted in a time, by their state now."
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
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState what="the report" />}
      {data !== undefined && <ReportTable report={data} />}
    </Page>
  );
}
