import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { ListQuery } from '../../api/schema';
import { useStillList } from '../../tables/use-still-list';

export type DeliveriesQuery = ListQuery<'/v1/deliveries'>;

/** What the queries of all that shows deliveries begin with. */
export const DELIVERIES_KEY = ['deliveries'] as const;

/** Deliveries, the newest first. The last page stays in view until the next one has come. */
export const useDeliveries = (query: DeliveriesQuery) =>
  useStillList({
    key: [...DELIVERIES_KEY, 'list'],
    query,
    read: async (wanted: DeliveriesQuery, signal) => {
      const { deliveries, pagination } = await answerOf(
        api.GET('/v1/deliveries', { params: { query: wanted }, signal }),
      );
      return { rows: deliveries, pagination };
    },
    idOf: ({ deliveryId }) => deliveryId,
    atOf: ({ createdAt }) => createdAt,
  });

let inView = '';

/** The search part of the list's address as it was seen last, empty without filters: the way back from a delivery. */
export const listInView = (): string => inView;
export const keepListInView = (search: string): void => {
  inView = search;
};
