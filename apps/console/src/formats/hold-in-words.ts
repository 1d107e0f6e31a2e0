import type { Schema } from '../api';

type HoldReason = NonNullable<Schema<'DeliveryDto'>['holdReason']>;

interface Hold {
  label: string;
  why: string;
  endsWhen: string;
  /** In words for the consumer's own people. */
  toConsumer: string;
}

/** Every hold reason: its explanation, and what ends it. */
export const HOLDS: Readonly<Record<HoldReason, Hold>> = {
  paused: {
    label: 'Paused',
    why: 'Sending to this consumer, or to all consumers, is paused.',
    endsWhen: 'Sending is resumed. Everything then goes out in order.',
    toConsumer: 'Sending to you is paused.',
  },
  circuit: {
    label: 'Circuit open',
    why: 'The consumer is down: 10 consecutive attempts failed, on at least 3 deliveries, over at least 60 s. Its deliveries wait and lose no attempts.',
    endsWhen:
      'A probe succeeds. The first one is sent after 30 s, then at intervals that double up to 15 min.',
    toConsumer: 'It is sent after the next success of your server.',
  },
  concurrency: {
    label: 'At its limit',
    why: 'The consumer’s limit of concurrent requests, or of requests per second, is reached.',
    endsWhen: 'A request ends. No action is needed.',
    toConsumer: 'As many as agreed are being sent.',
  },
  order: {
    label: 'Waiting for an earlier status',
    why: 'An earlier status of the same payment is not delivered to this consumer yet.',
    endsWhen: 'The earlier one is delivered, dead or cancelled.',
    toConsumer: 'An earlier status is delivered first.',
  },
  record: {
    label: 'Result not recorded',
    why: 'It was sent, but PostgreSQL refused to keep the result. It waits for a person. The log of the worker has delivery.record_refused.',
    endsWhen:
      'The worker repeats the record every minute. Or an operator retries it, which sends it again, or cancels it.',
    toConsumer: 'It was sent, but we could not keep the result. The bank decides whether it is sent again.',
  },
  secret: {
    label: 'Credentials broken',
    why: 'The consumer’s credentials cannot be decrypted: their key is missing from SECRETS_KEYRING.',
    endsWhen: 'An operator restores the key, or sets new credentials for the consumer.',
    toConsumer: 'The bank cannot use your credentials at the moment. It is sent when that is corrected.',
  },
};
