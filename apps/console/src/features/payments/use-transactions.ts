import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';
import type { ListQuery, Schema } from '../../api/schema';

export type Kind = Schema<'TransactionDto'>['kind'];

/** Payments, the one with the newest status first. A producer gets those that it posted. */
export function useTransactions(query: ListQuery<'/v1/transactions'>) {
  return useQuery({
    queryKey: ['transactions', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/transactions', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

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
