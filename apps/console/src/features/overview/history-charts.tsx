import { LineChart } from '@mantine/charts';
import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Schema } from '../../api/schema';
import { durationInWords } from '../../formats/duration-in-words';
import { historyInWords, historyRows } from './history-rows';

const HEIGHT = 240;
const LOOKS = {
  h: HEIGHT,
  dataKey: 'at',
  withDots: false,
  withLegend: true,
  curveType: 'linear',
  connectNulls: false,
  // The table says the same to whoever does not see the chart.
  accessibilityLayer: false,
  lineProps: { isAnimationActive: false },
} as const;

/** Accepted, delivered and failed per minute, and how long deliveries took; times in UTC. */
export function HistoryCharts({ stats }: { stats: Schema<'StatsDto'> }) {
  const rows = historyRows(stats);
  const isDays = stats.points.length * stats.stepSeconds > 86_400;
  const xAxisProps = { tickFormatter: (at: string) => tickOf(at, isDays), minTickGap: 40 };
  return (
    <Stack gap="xs">
      <Text size="sm">{historyInWords(stats)} Times are UTC.</Text>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <figure style={{ margin: 0, minWidth: 0 }} aria-label="Events and deliveries per minute">
          <Title order={3} size="h5" mb="xs">
            Per minute
          </Title>
          <LineChart
            {...LOOKS}
            data={rows}
            xAxisProps={xAxisProps}
            series={[
              { name: 'accepted', label: 'Events accepted', color: 'blue.6' },
              { name: 'delivered', label: 'Delivered', color: 'teal.6', strokeDasharray: '6 3' },
              { name: 'failed', label: 'Failed attempts', color: 'red.6', strokeDasharray: '2 3' },
            ]}
          />
        </figure>
        <figure style={{ margin: 0, minWidth: 0 }} aria-label="Time from acceptance to delivery">
          <Title order={3} size="h5" mb="xs">
            From acceptance to delivery
          </Title>
          <LineChart
            {...LOOKS}
            data={rows}
            xAxisProps={xAxisProps}
            yAxisProps={{ width: 70 }}
            valueFormatter={durationInWords}
            series={[
              { name: 'latencyP50Ms', label: 'Half arrive within (p50)', color: 'blue.6' },
              {
                name: 'latencyP95Ms',
                label: '95 of 100 within (p95)',
                color: 'orange.6',
                strokeDasharray: '6 3',
              },
            ]}
          />
        </figure>
      </SimpleGrid>
    </Stack>
  );
}

/** `21 Nov` where days are shown, else `13:42`; UTC. */
function tickOf(at: string, isDays: boolean): string {
  const moment = new Date(at);
  const hour = moment.toISOString().slice(11, 16);
  return isDays
    ? moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
    : hour;
}
