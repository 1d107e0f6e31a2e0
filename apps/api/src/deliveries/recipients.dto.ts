import { RECIPIENT_STATES, type RecipientState } from '#libs/contracts';
import type { Recipients } from '#libs/database';
import { ApiProperty } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** One consumer, and what has come of its copy. */
export class RecipientDto {
  @ApiProperty({ format: 'uuid' })
  consumerId!: string;

  @ApiProperty()
  consumerName!: string;

  @ApiProperty({ enum: RECIPIENT_STATES })
  state!: RecipientState;

  /** When it ended; null while it is waiting. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  at!: string | null;
}

/** The consumers that something goes to, counted by what has come of it; all counts are 0 when it is unrouted. */
export class RecipientsDto {
  @ApiProperty(COUNT)
  total!: number;

  @ApiProperty(COUNT)
  delivered!: number;

  /** Scheduled, being sent, or held. */
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

  /** At most three of them, the worst first. */
  @ApiProperty({ type: () => RecipientDto, isArray: true })
  named!: RecipientDto[];
}

export const recipientsView = ({ named, ...counts }: Recipients): RecipientsDto => ({
  ...counts,
  named: named.map(({ at, ...one }) => ({ ...one, at: at === null ? null : new Date(at).toISOString() })),
});
