import { Button, CopyButton, Group } from '@mantine/core';
import { IconCopy, IconPrinter } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { ListQuery } from '../../api/schema';
import { DownloadButton } from '../../feedback/download-button';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Page } from '../../layout/page';
import { FilterBar, type Filter } from '../../tables/filter-bar';
import { useUrlFilters } from '../../tables/use-url-filters';
import { PRESETS } from './presets';
import { ReportTable, reportAsText } from './report-table';

type Query = ListQuery<'/v1/reports/consumers'>;

const NAMES = ['from', 'to', 'lateAfterMs'] as const;
const FILTERS: readonly Filter<(typeof NAMES)[number]>[] = [
  { kind: 'moment', name: 'from', label: 'From' },
  { kind: 'moment', name: 'to', label: 'Before' },
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

/** What each consumer was sent in a time, last night unless the URL has another one. */
export function ReportPage() {
  const { values, set, clear } = useUrlFilters(NAMES);
  const [now] = useState(() => new Date());
  const { lateAfterMs, ...times } = values;
  const query: Query = {
    ...(times.from === undefined && times.to === undefined ? PRESETS[0].range(now) : times),
    ...(lateAfterMs === undefined ? {} : { lateAfterMs: Number(lateAfterMs) }),
  };
  const { data, error, refetch } = useQuery({
    queryKey: ['reports', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/reports/consumers', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
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
              load={() =>
                answerOf(
                  api.GET('/v1/reports/consumers', {
                    params: { query },
                    headers: { accept: 'text/csv' },
                    parseAs: 'blob',
                  }),
                )
              }
            />
            <CopyButton value={reportAsText(data)}>
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
      <Group component="nav" aria-label="Presets" gap="xs">
        {PRESETS.map(({ label, range }) => (
          <Button
            key={label}
            component={Link}
            to={`?${new URLSearchParams({ ...values, ...range(new Date()) }).toString()}`}
            size="compact-md"
            variant="default"
          >
            {label}
          </Button>
        ))}
      </Group>
      <FilterBar
        // The default shows in the fields, too.
        filters={FILTERS}
        values={{
          ...values,
          ...(query.from === undefined ? {} : { from: query.from }),
          ...(query.to === undefined ? {} : { to: query.to }),
        }}
        onSet={set}
        onClear={clear}
      />
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState what="the report" />}
      {data !== undefined && <ReportTable report={data} />}
    </Page>
  );
}
