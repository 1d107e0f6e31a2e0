import { RECIPIENT_STATES, type RecipientState } from '#libs/contracts';
import type { Recipients } from '#libs/database';
import { ApiProperty } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** One consumer, with the state of its delivery (of several deliveries, the worst). */
export class RecipientDto {
  @ApiProperty({ format: 'uuid' })
  consumerId!: string;

  @ApiProperty()
  consumerName!: string;

  @ApiProperty({ enum: RECIPIENT_STATES })
  state!: RecipientState;

  /** When the delivery was finished; null while it is waiting. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  at!: string | null;
}

/** The consumers of an event or payment, counted by the state of the delivery. All counts are 0 if it is unrouted. */
export class RecipientsDto {
  @ApiProperty(COUNT)
  total!: number;

  @ApiProperty(COUNT)
  delivered!: number;

  /** Scheduled, sending or held. */
  @ApiProperty(COUNT)
  waiting!: number;

  /** Given up, and not settled. */
  @ApiProperty(COUNT)
  dead!: number;

  /** Given up, and settled by a person. */
  @ApiProperty(COUNT)
  settled!: number;

  @ApiProperty(COUNT)
  cancelled!: number;

  /** At most three recipients, the worst state first. */
  @ApiProperty({ type: () => RecipientDto, isArray: true })
  named!: RecipientDto[];
}

export const recipientsView = ({ named, ...counts }: Recipients): RecipientsDto => ({
  ...counts,
  named: named.map(({ at, ...one }) => ({ ...one, at: at === null ? null : new Date(at).toISOString() })),
});
