import { Text } from '@mantine/core';
import type { Schema } from '../api/schema';

export type HoldReason = NonNullable<Schema<'DeliveryDto'>['holdReason']>;

/** Every reason to wait: why, and what ends it. */
export const HOLDS: Readonly<Record<HoldReason, { label: string; why: string; endsWhen: string }>> = {
  paused: {
    label: 'Paused',
    why: 'Sending to this consumer, or to everybody, is paused.',
    endsWhen: 'Sending is resumed. Everything then goes out in order.',
  },
  circuit: {
    label: 'Circuit open',
    why: 'At least 10 consecutive attempts have failed, on at least 3 deliveries, over at least 60 s. Deliveries are held instead of using up their retry schedules.',
    endsWhen:
      'A probe is acknowledged. One is sent every 30 s to 15 min; resuming the consumer sends one now.',
  },
  concurrency: {
    label: 'At its limit',
    why: 'The consumer’s limit of concurrent requests, or of requests per second, is reached.',
    endsWhen: 'One of the requests ends. Nothing to do.',
  },
  order: {
    label: 'Waiting for an earlier status',
    why: 'An earlier status of the same payment has not been delivered to this consumer yet.',
    endsWhen: 'The earlier one is delivered, dead or cancelled.',
  },
  secret: {
    label: 'Credentials broken',
    why: 'The consumer’s credentials cannot be decrypted: their key is missing from SECRETS_KEYRING.',
    endsWhen: 'An operator restores the key, or enters new credentials for the consumer.',
  },
};

/** Why a delivery is held and what releases it; `brief` for tables. */
export function HoldInWords({ reason, brief = false }: { reason: HoldReason; brief?: boolean }) {
  const { label, why, endsWhen } = HOLDS[reason];
  if (brief) return <span title={`${why} Continues when: ${endsWhen}`}>{label}</span>;
  return (
    <Text component="div">
      <strong>{label}.</strong> {why} <strong>Continues when:</strong> {endsWhen}
    </Text>
  );
}
