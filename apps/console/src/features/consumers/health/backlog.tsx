import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type ListQuery } from '../../../api';
import { QueryState } from '../../../feedback/query-state';
import { countInWords } from '../../../formats/count-in-words';
import { HOLDS, type HoldReason } from '../../../formats/hold-in-words';
import { labelOf, meaningOf } from '../../../formats/waiting-in-words';
import { Section } from '../../../layout/section';
import { DataTable, type Column } from '../../../tables/data-table';
import { deliveriesPath } from '../../deliveries/delivery-filters';

/** What pending deliveries of a consumer wait for. */
interface Waiting {
  readonly state: 'queued' | 'sending' | 'held';
  readonly holdReason: HoldReason | null;
  readonly count: number;
  readonly isCapped: boolean;
}

/** The api counts no reasons of one consumer; so many are looked at of each. */
const COUNTED_TO = 100;
const ASK_EVERY_MS = 10_000;

const isHold = (text: string): text is HoldReason => text in HOLDS;

const KINDS: readonly Pick<Waiting, 'state' | 'holdReason'>[] = [
  ...(['queued', 'sending'] as const).map((state) => ({ state, holdReason: null })),
  ...Object.keys(HOLDS)
    .filter(isHold)
    .map((holdReason) => ({ state: 'held' as const, holdReason })),
];

const COLUMNS: readonly Column<Waiting>[] = [
  { header: 'State', cell: labelOf },
  { header: 'Deliveries', cell: ({ count, isCapped }) => countInWords(count, isCapped) },
  { header: 'Meaning', cell: meaningOf },
];

function useBacklog(consumerId: string) {
  return useQuery({
    queryKey: ['deliveries', 'backlog', consumerId],
    refetchInterval: ASK_EVERY_MS,
    queryFn: async ({ signal }): Promise<Waiting[]> => {
      const count = async (kind: Pick<Waiting, 'state' | 'holdReason'>): Promise<Waiting> => {
        const { state, holdReason } = kind;
        const query: ListQuery<'/v1/deliveries'> = {
          consumerId,
          limit: COUNTED_TO,
          state,
          ...(holdReason === null ? {} : { holdReason }),
        };
        const { deliveries, pagination } = await answerOf(
          api.GET('/v1/deliveries', { params: { query }, signal }),
        );
        return { ...kind, count: deliveries.length, isCapped: pagination.moreRecords };
      };
      return (await Promise.all(KINDS.map(count))).filter((each) => each.count > 0);
    },
  });
}

/** What waits for this consumer by state and reason, each leading to the deliveries themselves. */
export function Backlog({ consumerId }: { consumerId: string }) {
  const query = useBacklog(consumerId);
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
