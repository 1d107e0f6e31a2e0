import { BarChart } from '@mantine/charts';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../../api';
import { EmptyState, QueryState } from '../../../feedback';
import { countInWords, dayAndMonth, dayOf, fullMoment, useZone, zoneLabel } from '../../../formats';
import { Section } from '../../../page/section';
import { type Column, DataTable } from '../../../tables';
import { axisTicks, fromFirstEvent } from '../../overview/history-rows';
import { OWN } from '../own-queries';
import { sumsBy } from './last-days-sums';

type Points = Schema<'StatsDto'>['points'];

const WEEK_MS = 7 * 86_400_000;
const REFRESH_MS = 60_000;

/** What was delivered and what failed in the last 7 days: by hour as a chart, and by day as a table. */
export function LastDays() {
  const query = useQuery({
    queryKey: [OWN, 'stats'],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - WEEK_MS).toISOString();
      return answerOf(api.GET('/v1/stats', { params: { query: { from } }, signal }));
    },
    refetchInterval: REFRESH_MS,
  });
  return (
    <Section title="The last 7 days">
      <QueryState query={query} what="history" />
      {query.data !== undefined && <HoursAndDays points={query.data.points} />}
    </Section>
  );
}

const isNothingSent = ({ delivered, failedAttempts, dead }: Points[number]): boolean =>
  delivered + failedAttempts + dead === 0;

/** From the first delivery or failure on. */
function HoursAndDays({ points: all }: { points: Points }) {
  const zone = useZone();
  const points = fromFirstEvent(all, isNothingSent);
  if (points.every(isNothingSent))
    return <EmptyState title="Nothing yet">Nothing was sent to your server in this time.</EmptyState>;
  const hours = sumsBy(points, (at) => at.toISOString().slice(0, 'yyyy-mm-ddThh'.length));
  const ticks = axisTicks(hours, zone);
  const columns: readonly Column<Points[number]>[] = [
    { header: `Day (${zoneLabel(zone)})`, cell: ({ at }) => dayAndMonth(new Date(at), zone) },
    { header: 'Delivered', cell: ({ delivered }) => countInWords(delivered), isNumber: true },
    { header: 'Failed attempts', cell: ({ failedAttempts }) => countInWords(failedAttempts), isNumber: true },
    { header: 'Given up', cell: ({ dead }) => countInWords(dead), isNumber: true },
  ];
  return (
    <>
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
      <DataTable
        caption="The last 7 days"
        columns={columns}
        rows={sumsBy(points, (at) => dayOf(at, zone)).toReversed()}
        rowId={({ at }) => at}
      />
    </>
  );
}
