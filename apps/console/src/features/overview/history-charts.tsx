import { LineChart, type LineChartProps } from '@mantine/charts';
import { SimpleGrid, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import type { Schema } from '../../api';
import { durationInWords, fullMoment, hourAndMinute, useZone, type Zone } from '../../formats';
import {
  axisTicks,
  fromFirstEvent,
  historyRows,
  isAlone,
  isIdle,
  outageSpans,
  type HistoryRow,
  type Outage,
} from './history-rows';

const LOOKS = {
  h: 200,
  dataKey: 'at',
  withLegend: true,
  curveType: 'linear',
  connectNulls: false,
  // The table has the same numbers for people who do not see the chart.
  accessibilityLayer: false,
} as const;

/** Accepted, delivered and failed per minute, and how long deliveries took; times in the zone of the switch. */
export function HistoryCharts({ stats, outages }: { stats: Schema<'StatsDto'>; outages: readonly Outage[] }) {
  const zone = useZone();
  const rows = useMemo(() => fromFirstEvent(historyRows(stats), isIdle), [stats]);
  const looks = useMemo(() => {
    const ticks = axisTicks(rows, zone);
    const spans = outageSpans(rows, outages);
    return {
      ...LOOKS,
      data: [...rows],
      referenceAreas: spans.map(({ x1, x2 }) => ({
        x1,
        x2,
        color: 'red.6',
        fillOpacity: 0.1,
        strokeOpacity: 0,
      })),
      referenceLines: spans.map(({ x1, from, to, isLate }) => ({
        x: x1,
        color: 'red.6',
        labelPosition: isLate ? 'insideTopRight' : 'insideTopLeft',
        label: { value: outageInWords({ from, to }, zone), fill: 'var(--mantine-color-error)' },
      })),
      xAxisProps: {
        ticks: [...ticks.keys()],
        tickFormatter: (at: string) => ticks.get(at) ?? '',
        minTickGap: 4,
      },
      // The label is undefined while no point is under the pointer.
      tooltipProps: {
        labelFormatter: (at: unknown) => (typeof at === 'string' ? fullMoment(new Date(at), zone) : ''),
      },
      lineProps: { isAnimationActive: false, dot: (point: Point) => <Dot {...point} rows={rows} /> },
    } satisfies Partial<LineChartProps>;
  }, [rows, zone, outages]);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Chart
        {...looks}
        title="Per minute"
        label="Events and deliveries per minute"
        isEmpty={rows.every(isIdle)}
        series={[
          { name: 'accepted', label: 'Events accepted', color: 'blue.6' },
          { name: 'delivered', label: 'Delivered', color: 'teal.6', strokeDasharray: '6 3' },
          { name: 'failedAttempts', label: 'Failed attempts', color: 'red.6', strokeDasharray: '2 3' },
        ]}
      />
      <Chart
        {...looks}
        title="From acceptance to delivery"
        label="Time from acceptance to delivery"
        isEmpty={rows.every(({ latencyP95Ms }) => latencyP95Ms === null)}
        yAxisProps={{
          width: 80,
          tickFormatter: (ms: number) => durationInWords(ms).replaceAll(' ', '\u00a0'),
        }}
        valueFormatter={durationInWords}
        series={[
          { name: 'latencyP50Ms', label: 'Median', color: 'blue.6' },
          { name: 'latencyP95Ms', label: '95th percentile', color: 'orange.6', strokeDasharray: '6 3' },
        ]}
      />
    </SimpleGrid>
  );
}

/** `Failing since 10:43` from the first failed attempt, or of a past issue `Issue “down” 10:43–10:50`. */
function outageInWords({ from, to }: Outage, zone: Zone): string {
  const begin = hourAndMinute(new Date(from), zone);
  return to === null
    ? `Failing since ${begin}`
    : `Issue “down” ${begin}–${hourAndMinute(new Date(to), zone)}`;
}

interface ChartProps extends LineChartProps {
  title: string;
  /** The name for screen readers. */
  label: string;
  isEmpty: boolean;
}

const Chart = ({ title, label, isEmpty, ...props }: ChartProps) => (
  <figure style={{ margin: 0, minWidth: 0 }} aria-label={label}>
    <Title order={3} size="h5" mb="xs">
      {title}
    </Title>
    {isEmpty ? <Text>No deliveries in this time.</Text> : <LineChart {...props} />}
  </figure>
);

interface Point {
  cx?: number;
  cy?: number;
  index?: number;
  dataKey?: unknown;
  stroke?: string;
}

/** A dot for a point without neighbours, which no line would show. */
function Dot({ cx, cy, index, dataKey, stroke, rows }: Point & { rows: readonly HistoryRow[] }) {
  const name = (['latencyP50Ms', 'latencyP95Ms'] as const).find((one) => one === dataKey);
  if (name === undefined || index === undefined || !isAlone(rows, index, name)) return null;
  return <circle cx={cx} cy={cy} r={3} fill={stroke} />;
}
