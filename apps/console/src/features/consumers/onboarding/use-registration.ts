import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';
import { settingsOf, type ConsumerValues } from '../consumer-form/consumer-values';
import { givenCertificate } from '../credentials/client-certificate';
import type { NewCredentials } from './new-credentials';

export interface Registration {
  readonly values: ConsumerValues;
  readonly credentials: NewCredentials;
}

/** Registers a consumer; what is empty is left to the api. */
export function useRegistration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ values, credentials }: Registration) =>
      answerOf(
        api.POST('/v1/consumers', {
          body: {
            ...whatIsSet(values),
            credentials: { username: credentials.username, password: credentials.password },
            ...(credentials.secret === 'given' ? { signingSecret: credentials.signingSecret } : {}),
            ...givenCertificate(credentials.clientCertificate),
          },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['consumers'] }),
  });
}

/** A new consumer has nothing to be cleared: what is empty is left out. */
function whatIsSet(values: ConsumerValues) {
  const { externalId, contact, notes, caCertificate, maxPerSecond, retrySchedule, ...others } =
    settingsOf(values);
  return {
    ...others,
    ...(externalId === null ? {} : { externalId }),
    ...(contact === null ? {} : { contact }),
    ...(notes === null ? {} : { notes }),
    ...(caCertificate === null ? {} : { caCertificate }),
    ...(maxPerSecond === null ? {} : { maxPerSecond }),
    ...(retrySchedule === null ? {} : { retrySchedule }),
  };
}
