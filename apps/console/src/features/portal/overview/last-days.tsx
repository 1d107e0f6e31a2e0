import { BarChart } from '@mantine/charts';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerOf, api, type Schema } from '../../../api';
import { QueryState } from '../../../feedback';
import { countInWords, dayAndMonth, dayOf, fullMoment, useZone, zoneLabel } from '../../../formats';
import { Section } from '../../../page/section';
import { type Column, DataTable } from '../../../tables';
import { axisTicks } from '../../overview/history-rows';
import { OWN } from '../own-queries';
import { hourOf, sumsBy } from './last-days-sums';

type Points = Schema<'StatsDto'>['points'];

const WEEK_MS = 7 * 86_400_000;
const REFRESH_MS = 60_000;

/** What was delivered and what failed in the last 7 days, by hour as a chart or by day as a table. */
export function LastDays() {
  const [isTable, table] = useDisclosure(false);
  const query = useQuery({
    queryKey: [OWN, 'stats'],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - WEEK_MS).toISOString();
      return answerOf(api.GET('/v1/stats', { params: { query: { from } }, signal }));
    },
    refetchInterval: REFRESH_MS,
  });
  const { data } = query;
  return (
    <Section title="The last 7 days">
      <QueryState query={query} what="history" />
      {data !== undefined && (isTable ? <Days points={data.points} /> : <Hours points={data.points} />)}
      <Button
        variant="default"
        aria-pressed={isTable}
        onClick={table.toggle}
        style={{ alignSelf: 'flex-start' }}
      >
        Show as a table
      </Button>
    </Section>
  );
}

function Hours({ points }: { points: Points }) {
  const zone = useZone();
  const hours = useMemo(() => sumsBy(points, hourOf), [points]);
  const ticks = useMemo(() => axisTicks(hours, zone), [hours, zone]);
  const [all] = sumsBy(points, () => '');
  const { delivered = 0, failedAttempts = 0 } = all ?? {};
  return (
    <>
      <Text>
        Delivered: {countInWords(delivered)}. Failed attempts: {countInWords(failedAttempts)}. One bar for
        each hour, in {zoneLabel(zone)}.
      </Text>
      <figure style={{ margin: 0, minWidth: 0 }} aria-label="Delivered and failed attempts by hour">
        <BarChart
          h={200}
          data={hours}
          dataKey="at"
          type="stacked"
          withLegend
          accessibilityLayer={false}
          barProps={{ isAnimationActive: false }}
          xAxisProps={{ ticks: [...ticks.keys()], tickFormatter: (at: string) => ticks.get(at) ?? '' }}
          tooltipProps={{
            labelFormatter: (at: unknown) => (typeof at === 'string' ? fullMoment(new Date(at), zone) : ''),
          }}
          series={[
            { name: 'delivered', label: 'Delivered', color: 'teal.6' },
            { name: 'failedAttempts', label: 'Failed attempts', color: 'red.6' },
          ]}
        />
      </figure>
    </>
  );
}

function Days({ points }: { points: Points }) {
  const zone = useZone();
  const columns: readonly Column<Points[number]>[] = [
    { header: `Day (${zoneLabel(zone)})`, cell: ({ at }) => dayAndMonth(new Date(at), zone) },
    { header: 'Delivered', cell: ({ delivered }) => countInWords(delivered), isNumber: true },
    { header: 'Failed attempts', cell: ({ failedAttempts }) => countInWords(failedAttempts), isNumber: true },
    { header: 'Not delivered', cell: ({ dead }) => countInWords(dead), isNumber: true },
  ];
  return (
    <DataTable
      caption="The last 7 days"
      columns={columns}
      rows={sumsBy(points, (at) => dayOf(at, zone)).toReversed()}
      rowId={({ at }) => at}
    />
  );
}
