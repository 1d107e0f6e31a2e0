import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../closed-lists.js';
import { FieldFaultDto } from '../problem.js';

/** A delivery of an accepted event. */
export class AddressedDto {
  @ApiProperty({ format: 'uuid' })
  deliveryId!: string;

  @ApiProperty({ format: 'uuid' })
  consumerId!: string;
}

/** The answer to an accepted status change: it is committed. */
export class AcceptedDto {
  @ApiProperty({ format: 'uuid' })
  notificationId!: string;

  @ApiProperty({ enum: EVENT_TYPES })
  eventType!: EventType;

  /** In UTC, as consumers receive it. */
  @ApiProperty({ format: 'date-time' })
  eventDateTime!: string;

  /** True: the same request was accepted before, and nothing was created. */
  @ApiProperty()
  duplicate!: boolean;

  /** One delivery for each recipient. Empty: the event has no recipient and is stored as unrouted. */
  @ApiProperty({ type: () => AddressedDto, isArray: true })
  deliveries!: AddressedDto[];
}

/** Result of one item of a batch. */
export class BatchItemResultDto {
  /** Index in the request's array, from 0. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  index!: number;

  /** `accepted`: committed. `rejected`: nothing of it is stored. */
  @ApiProperty({ enum: ['accepted', 'rejected'] })
  status!: 'accepted' | 'rejected';

  /** Only of an accepted item. */
  @ApiProperty({ format: 'uuid', required: false })
  notificationId?: string;

  /** Only of an accepted item. */
  @ApiProperty({ required: false })
  duplicate?: boolean;

  /** Only of a rejected item: all faults. */
  @ApiProperty({ type: () => FieldFaultDto, isArray: true, required: false })
  errors?: FieldFaultDto[];
}

/** The answer to a batch. */
export class BatchResultDto {
  /** One result for each item, in the order of the request. */
  @ApiProperty({ type: () => BatchItemResultDto, isArray: true })
  results!: BatchItemResultDto[];
}
