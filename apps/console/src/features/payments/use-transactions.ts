import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { ListQuery, Schema } from '../../api/schema';
import { useStillList } from '../../tables/use-still-list';

export type Kind = Schema<'TransactionDto'>['kind'];

/** Payments, the one with the newest status first. A producer gets those that it posted. */
export const useTransactions = (query: ListQuery<'/v1/transactions'>) =>
  useStillList({
    key: ['transactions', 'list'],
    query,
    read: async (wanted: ListQuery<'/v1/transactions'>, signal) => {
      const { transactions, pagination } = await answerOf(
        api.GET('/v1/transactions', { params: { query: wanted }, signal }),
      );
      return { rows: transactions, pagination };
    },
    idOf: ({ kind, paymentId }) => `${kind} ${paymentId}`,
    atOf: ({ updatedAt }) => updatedAt,
  });

/** One payment with its statuses in order. */
export function useTransaction(kind: Kind, paymentId: string) {
  return useQuery({
    queryKey: ['transactions', kind, paymentId],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/transactions/{kind}/{paymentId}', { params: { path: { kind, paymentId } }, signal }),
      ),
  });
}
