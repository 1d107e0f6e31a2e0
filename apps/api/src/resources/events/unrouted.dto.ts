import { InstantText, ListOf, textRule, Truth, UUID, type Count, type Uuid } from '#libs/contracts';
import { ReasonDto } from '../../http/reason.dto.js';

/** `POST /v1/events/unrouted/seen`. */
export class UnroutedSeenDto {
  /** Unrouted events accepted before this instant are marked as seen: `unrouted.until` of `GET /v1/overview`. */
  @InstantText()
  until!: Date;
}

/** `POST /v1/events/unrouted/send`. */
export class SendUnroutedDto extends ReasonDto {
  @ListOf(textRule({ max: 36, pattern: UUID, patternInWords: 'must be a UUID' }), {
    min: 1,
    max: 100,
    items: { type: 'string', format: 'uuid' },
  })
  notificationIds!: string[];

  /** Only counts the events and their consumers; nothing is sent. */
  @Truth({ optional: true })
  dryRun?: boolean;
}

/** A consumer that matches unrouted events today. */
export class UnroutedConsumerDto {
  consumerId!: Uuid;
  /** Number of the events. */
  events!: Count;
}

/** How many of the events were sent, and to which consumers; with `dryRun`: would be sent. */
export class UnroutedSentDto {
  sent!: Count;
  /** No consumer matches them, or they have a delivery already. */
  notSent!: Count;
  consumers!: UnroutedConsumerDto[];
}
