import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { Group, SegmentedControl, SimpleGrid, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { LoadingState } from '../../../feedback/loading-state';
import { ProblemAlert } from '../../../feedback/problem-alert';
import type { Schema } from '../../../api/schema';
import { durationInWords } from '../../../formats/duration-in-words';
import { useStats, type Range } from './use-stats';

const RANGE_LABELS: Readonly<Record<Range, string>> = { hour: 'last hour', day: 'last day' };
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' });
const HEIGHT = 220;

/** How much is sent to a consumer and how long it takes, in words and as charts. */
export function RateCharts({ consumerId }: { consumerId: string }) {
  const [range, setRange] = useState<Range>('hour');
  const { data, error, refetch } = useStats(consumerId, range);
  return (
    <section aria-label="Rate and latency">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Rate and latency
        </Title>
        <SegmentedControl
          aria-label="Range"
          value={range}
          onChange={setRange}
          data={[
            { value: 'hour', label: 'Last hour' },
            { value: 'day', label: 'Last day' },
          ]}
        />
      </Group>
      {data === undefined && error === null && <LoadingState what="the figures" />}
      {error !== null && (
        <ProblemAlert error={error} title="The figures cannot be read" onRetry={() => void refetch()} />
      )}
      {data !== undefined && <Charts stats={data} range={range} />}
    </section>
  );
}

function Charts({ stats, range }: { stats: Schema<'StatsDto'>; range: Range }) {
  const points = stats.points.map((point) => ({
    at: CLOCK.format(new Date(point.at)),
    delivered: point.delivered,
    failed: point.failedAttempts,
    half: point.latencyP50Ms,
    most: point.latencyP95Ms,
  }));
  const step = stats.stepSeconds === 60 ? 'minute' : durationInWords(stats.stepSeconds * 1_000);
  return (
    <>
      <Text mb="sm">{inWords(stats, range)}</Text>
      {/* Read out as the sentence above. */}
      <SimpleGrid cols={{ base: 1, lg: 2 }} aria-hidden>
        <div>
          <Text size="sm" fw={600}>
            Per {step}
          </Text>
          <BarChart
            h={HEIGHT}
            data={points}
            dataKey="at"
            type="stacked"
            withLegend
            tooltipAnimationDuration={0}
            barProps={{ isAnimationActive: false }}
            series={[
              { name: 'delivered', label: 'Delivered', color: 'blue.6' },
              { name: 'failed', label: 'Failed attempts', color: 'red.6' },
            ]}
          />
        </div>
        <div>
          <Text size="sm" fw={600}>
            From acceptance to delivery
          </Text>
          <LineChart
            h={HEIGHT}
            data={points}
            dataKey="at"
            withLegend
            connectNulls
            curveType="linear"
            tooltipAnimationDuration={0}
            lineProps={{ isAnimationActive: false }}
            valueFormatter={durationInWords}
            series={[
              { name: 'half', label: 'Half within', color: 'blue.6' },
              { name: 'most', label: '95 of 100 within', color: 'orange.6' },
            ]}
          />
        </div>
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        Times are UTC.
      </Text>
    </>
  );
}

function inWords({ points }: Schema<'StatsDto'>, range: Range): string {
  const sum = (of: (point: Schema<'StatsPointDto'>) => number): number =>
    points.reduce((total, point) => total + of(point), 0);
  const newest = points.findLast(({ latencyP95Ms }) => latencyP95Ms !== null);
  const latency =
    newest?.latencyP50Ms == null || newest.latencyP95Ms === null
      ? ''
      : ` Most recently half arrived within ${durationInWords(newest.latencyP50Ms)} of acceptance, 95 of 100 within ${durationInWords(newest.latencyP95Ms)}.`;
  return `In the ${RANGE_LABELS[range]}: ${String(sum((p) => p.accepted))} came in for it, ${String(sum((p) => p.delivered))} were delivered, ${String(sum((p) => p.failedAttempts))} of ${String(sum((p) => p.attempts))} attempts failed, ${String(sum((p) => p.dead))} were given up.${latency}`;
}
