import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../closed-lists.js';
import { FieldFaultDto } from '../problem.js';

/** A delivery that an event led to. */
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

  /** In UTC, as consumers get it. */
  @ApiProperty({ format: 'date-time' })
  eventDateTime!: string;

  /** The same request was accepted before; nothing new was made. */
  @ApiProperty()
  duplicate!: boolean;

  /** Whom it goes to; empty: it concerns no consumer and is kept as unrouted. */
  @ApiProperty({ type: () => AddressedDto, isArray: true })
  deliveries!: AddressedDto[];
}

/** What became of one item of a batch. */
export class BatchItemResultDto {
  /** Its place in the request's array. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  index!: number;

  /** Accepted: committed. Rejected: nothing of it is kept. */
  @ApiProperty({ enum: ['accepted', 'rejected'] })
  status!: 'accepted' | 'rejected';

  /** Of an accepted one. */
  @ApiProperty({ format: 'uuid', required: false })
  notificationId?: string;

  /** Of an accepted one. */
  @ApiProperty({ required: false })
  duplicate?: boolean;

  /** Of a rejected one: every fault. */
  @ApiProperty({ type: () => FieldFaultDto, isArray: true, required: false })
  errors?: FieldFaultDto[];
}

/** The answer to a batch, item by item. */
export class BatchResultDto {
  /** One for each item, in their order. */
  @ApiProperty({ type: () => BatchItemResultDto, isArray: true })
  results!: BatchItemResultDto[];
}
