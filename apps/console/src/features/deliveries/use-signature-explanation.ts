import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';

interface Subject {
  consumerId: string;
  deliveryId: string;
  attempt: number;
}

/** How the signature of one attempt came about. Each asking is an entry in the audit log: asked once. */
export function useSignatureExplanation({ consumerId, deliveryId, attempt }: Subject) {
  return useQuery({
    queryKey: ['signature', consumerId, deliveryId, attempt],
    queryFn: async () => {
      const answer = await answerOf(
        api.POST('/v1/consumers/{id}/explain-signature', {
          params: { path: { id: consumerId } },
          body: { deliveryId, attempt },
        }),
      );
      if (answer.kind !== 'explanation') throw new Error('The api has answered another question.');
      return answer;
    },
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
    retry: false,
  });
}
