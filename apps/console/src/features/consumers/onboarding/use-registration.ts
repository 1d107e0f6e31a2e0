import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';
import { settingsOf, type ConsumerValues } from '../consumer-form/consumer-values';
import type { NewCredentials } from './new-credentials';

export interface Registration {
  readonly values: ConsumerValues;
  readonly credentials: NewCredentials;
}

/** Registers a consumer; what is empty is left to the api. */
export function useRegistration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ values, credentials: { username, password, secret, signingSecret } }: Registration) =>
      answerOf(
        api.POST('/v1/consumers', {
          body: {
            ...settingsOf(values),
            name: values.name,
            url: values.url,
            eventTypes: values.eventTypes,
            allPayments: values.allPayments,
            timestampUnit: values.timestampUnit,
            ordering: values.ordering,
            timeoutMs: Number(values.timeoutMs),
            maxConcurrency: Number(values.maxConcurrency),
            credentials: { username, password },
            ...(secret === 'given' ? { signingSecret } : {}),
          },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['consumers'] }),
  });
}
