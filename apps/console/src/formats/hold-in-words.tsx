import { Text } from '@mantine/core';
import type { Schema } from '../api/schema';

export type HoldReason = NonNullable<Schema<'DeliveryDto'>['holdReason']>;

/** Every reason to wait: why, and what ends it. */
export const HOLDS: Readonly<Record<HoldReason, { label: string; why: string; endsWhen: string }>> = {
  paused: {
    label: 'Paused',
    why: 'Sending to this consumer, or to everybody, is paused.',
    endsWhen: 'Somebody resumes it; everything then goes out in order.',
  },
  circuit: {
    label: 'Consumer is down',
    why: 'The consumer failed ten times in a row, so its deliveries wait instead of using up their tries.',
    endsWhen:
      'A trial delivery succeeds. One goes out every 30 s to 15 min by itself; resuming the consumer sends one at once.',
  },
  concurrency: {
    label: 'At its limit',
    why: 'The consumer already gets as many at the same time, or per second, as it may.',
    endsWhen: 'One of those ends. Nothing to do.',
  },
  order: {
    label: 'Behind another',
    why: 'An earlier status of the same payment has not arrived at this consumer yet.',
    endsWhen: 'That one is delivered, dead or cancelled.',
  },
  secret: {
    label: 'Credentials unreadable',
    why: 'The consumer’s credentials cannot be decrypted: their key is missing from SECRETS_KEYRING.',
    endsWhen: 'An operator puts the key back, or gives the consumer new credentials.',
  },
};

/** Why a delivery is held and what releases it; `brief` for tables. */
export function HoldInWords({ reason, brief = false }: { reason: HoldReason; brief?: boolean }) {
  const { label, why, endsWhen } = HOLDS[reason];
  if (brief) return <span title={`${why} Ends when: ${endsWhen}`}>{label}</span>;
  return (
    <Text component="div">
      <strong>{label}.</strong> {why} <strong>Goes on when:</strong> {endsWhen}
    </Text>
  );
}
