import type { Count, Instant, Uuid } from '../field-types.js';
import type { EventType } from '../closed-lists.js';
import type { FieldFaultDto } from '../problem.dto.js';

/** A delivery of an accepted event. */
export class AddressedDto {
  deliveryId!: Uuid;

  consumerId!: Uuid;
}

/** The answer to an accepted status change: it is committed. */
export class AcceptedDto {
  notificationId!: Uuid;

  eventType!: EventType;

  /** In UTC, as consumers receive it. */
  eventDateTime!: Instant;

  /** True: the same request was accepted before, and nothing was created. */
  duplicate!: boolean;

  /** One delivery for each recipient. Empty: the event has no recipient and is stored as unrouted. */
  deliveries!: AddressedDto[];
}

/** Result of one item of a batch. */
export class BatchItemResultDto {
  /** Index in the request's array, from 0. */
  index!: Count;

  /** `accepted`: committed. `rejected`: nothing of it is stored. */
  status!: 'accepted' | 'rejected';

  /** Only of an accepted item. */
  notificationId?: Uuid;

  /** Only of an accepted item. */
  duplicate?: boolean;

  /** Only of a rejected item: all faults. */
  errors?: FieldFaultDto[];
}

/** The answer to a batch. */
export class BatchResultDto {
  /** One result for each item, in the order of the request. */
  results!: BatchItemResultDto[];
}
