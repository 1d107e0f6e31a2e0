import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../../api';
import { QueryState } from '../../../feedback';
import { countInWords, HOLDS, keysOf, labelOf, meaningOf, type Waiting } from '../../../formats';
import { Section } from '../../../page/section';
import { type Column, DataTable } from '../../../tables';
import { deliveriesPath } from '../../delivery-filter/delivery-filters';

type Counted = Waiting & Pick<Schema<'QueueStateDto'>, 'count' | 'countIsCapped'>;

/** The api has no counts by reason for one consumer, so up to 100 deliveries of each are read. */
const COUNTED_TO = 100;
const ASK_EVERY_MS = 10_000;

const KINDS: readonly Waiting[] = [
  { state: 'queued', holdReason: null },
  { state: 'sending', holdReason: null },
  ...keysOf(HOLDS).map((holdReason) => ({ state: 'held', holdReason }) as const),
];

const COLUMNS: readonly Column<Counted>[] = [
  { header: 'State', cell: labelOf },
  {
    header: 'Deliveries',
    cell: ({ count, countIsCapped }) => countInWords(count, countIsCapped),
    isNumber: true,
  },
  { header: 'Meaning', cell: meaningOf },
];

async function countOf(consumerId: string, kind: Waiting, signal: AbortSignal): Promise<Counted> {
  const { state, holdReason } = kind;
  const query = { consumerId, limit: COUNTED_TO, state, ...(holdReason === null ? {} : { holdReason }) };
  const { deliveries, pagination } = await answerOf(api.GET('/v1/deliveries', { params: { query }, signal }));
  return { ...kind, count: deliveries.length, countIsCapped: pagination.moreRecords };
}

/** The waiting deliveries of a consumer by state and reason; each row leads to the deliveries. */
export function Backlog({ consumerId }: { consumerId: string }) {
  const query = useQuery({
    queryKey: ['deliveries', 'backlog', consumerId],
    refetchInterval: ASK_EVERY_MS,
    queryFn: async ({ signal }) => {
      const counted = await Promise.all(KINDS.map((kind) => countOf(consumerId, kind, signal)));
      return counted.filter(({ count }) => count > 0);
    },
  });
  const { data } = query;
  return (
    <Section title="Waiting deliveries">
      <QueryState query={query} what="backlog" />
      {data?.length === 0 && <Text>None.</Text>}
      {data !== undefined && data.length > 0 && (
        <DataTable
          caption="Waiting deliveries of this consumer"
          columns={COLUMNS}
          rows={data}
          rowId={({ state, holdReason }) => `${state} ${holdReason ?? ''}`}
          rowLink={({ state, holdReason }) =>
            deliveriesPath({ consumerId, ...(holdReason === null ? { state } : { holdReason }) })
          }
        />
      )}
    </Section>
  );
}
