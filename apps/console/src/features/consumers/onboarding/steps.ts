import type { ConsumerValues } from '../consumer-form/consumer-values';
import type { ClientCertificate } from '../credentials/client-certificate';
import type { NewCredentials } from './new-credentials';

/** The steps in order, each with the fields whose faults lead back to it. */
export const STEPS = [
  { label: 'Who', fields: ['name', 'externalId', 'contact', 'notes'] },
  { label: 'Where', fields: ['url', 'caCertificate', 'timeoutMs', 'timestampUnit'] },
  { label: 'Which payments', fields: ['eventTypes', 'achCompanyIds', 'wireCompanyIds', 'allPayments'] },
  {
    label: 'Credentials',
    fields: [
      'username',
      'password',
      'signingSecret',
      'clientCertificate.certificate',
      'clientCertificate.privateKey',
    ],
  },
  {
    label: 'Limits and order',
    fields: ['ordering', 'maxConcurrency', 'maxPerSecond', 'retrySchedule'],
  },
  { label: 'Review', fields: [] },
] as const satisfies readonly {
  label: string;
  fields: readonly (
    keyof ConsumerValues | keyof NewCredentials | `clientCertificate.${keyof ClientCertificate}`
  )[];
}[];

export const REVIEW = STEPS.length - 1;

/** The first step that has one of the faults; the review when none has. */
export function stepOf(faults: Readonly<Record<string, unknown>>): number {
  const step = STEPS.findIndex(({ fields }) => fields.some((field) => field in faults));
  return step < 0 ? REVIEW : step;
}
