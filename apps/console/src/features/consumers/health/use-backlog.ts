import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';
import type { ListQuery } from '../../../api/schema';
import type { DeliveryState } from '../../../formats/state-badge';
import { HOLDS, type HoldReason } from '../../../formats/hold-in-words';

/** One thing that pending deliveries of a consumer wait for. */
export interface Waiting {
  readonly state: DeliveryState;
  readonly holdReason: HoldReason | null;
  readonly count: number;
  /** There are more than `count`. */
  readonly isCapped: boolean;
}

/** The api counts no backlog of one consumer; so many are looked at of each kind. */
const COUNTED_TO = 100;
const ASK_EVERY_MS = 10_000;

const isHold = (text: string): text is HoldReason => text in HOLDS;

/** The pending deliveries of a consumer, by what they wait for; only what there is. */
export function useBacklog(consumerId: string) {
  return useQuery({
    queryKey: ['deliveries', 'backlog', consumerId],
    refetchInterval: ASK_EVERY_MS,
    queryFn: async ({ signal }): Promise<Waiting[]> => {
      const count = async (query: ListQuery<'/v1/deliveries'>) => {
        const { deliveries, pagination } = await answerOf(
          api.GET('/v1/deliveries', {
            params: { query: { ...query, consumerId, limit: COUNTED_TO } },
            signal,
          }),
        );
        return { count: deliveries.length, isCapped: pagination.moreRecords };
      };
      const waiting = await Promise.all([
        ...Object.keys(HOLDS)
          .filter(isHold)
          .map(async (holdReason) => ({
            state: 'held' as const,
            holdReason,
            ...(await count({ state: 'held', holdReason })),
          })),
        ...(['queued', 'sending', 'dead'] as const).map(async (state) => ({
          state,
          holdReason: null,
          ...(await count({ state })),
        })),
      ]);
      return waiting.filter((each) => each.count > 0);
    },
  });
}
