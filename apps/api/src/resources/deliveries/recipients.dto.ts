import type { Count, Instant, RecipientState, Uuid } from '#libs/contracts';
import type { Recipients } from '#libs/database';

/** One consumer, with the state of its delivery (of several deliveries, the worst). */
export class RecipientDto {
  consumerId!: Uuid;
  consumerName!: string;
  state!: RecipientState;
  /** When the delivery was finished; null while it is waiting. */
  at!: Instant | null;
}

/** The consumers of an event or payment, counted by the state of the delivery. All counts are 0 if it is unrouted. */
export class RecipientsDto {
  total!: Count;
  delivered!: Count;
  /** Scheduled, sending or held. */
  waiting!: Count;
  /** Given up, and not settled. */
  dead!: Count;
  /** Given up, and settled by a person. */
  settled!: Count;
  cancelled!: Count;
  /** At most three recipients, the worst state first. */
  named!: RecipientDto[];
}

export const recipientsView = ({ named, ...counts }: Recipients): RecipientsDto => ({
  ...counts,
  named: named.map(({ at, ...one }) => ({ ...one, at: at === null ? null : new Date(at).toISOString() })),
});
