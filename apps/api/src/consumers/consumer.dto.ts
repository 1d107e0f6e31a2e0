import {
  EVENT_TYPES,
  ORDERINGS,
  PaginationDto,
  TIMESTAMP_UNITS,
  type EventType,
  type Ordering,
  type TimestampUnit,
} from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { ConsumerHealthDto } from '../health/consumer-health.dto.js';
import { CertificateInUseDto } from './certificates/certificate.dto.js';

/** An open circuit: the deliveries are held, and a probe is sent every 30 s to 15 min. */
export class CircuitDto {
  @ApiProperty({ format: 'date-time' })
  openedAt!: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  failedProbes!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextProbeAt!: string | null;
}

/** A consumer, without secret and password. */
export class ConsumerDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  externalId!: string | null;

  /** In the canonical form in which it is requested and signed. */
  @ApiProperty({ format: 'uri' })
  url!: string;

  @ApiProperty({ type: String, nullable: true })
  contact!: string | null;

  /** Whether the contact gets a mail when the consumer is down, and when it has recovered. */
  @ApiProperty()
  notifyContact!: boolean;

  @ApiProperty({ type: String, nullable: true })
  notes!: string | null;

  @ApiProperty({ enum: EVENT_TYPES, isArray: true })
  eventTypes!: EventType[];

  @ApiProperty({ type: String, isArray: true })
  achCompanyIds!: string[];

  @ApiProperty({ type: String, isArray: true })
  wireCompanyIds!: string[];

  @ApiProperty()
  allPayments!: boolean;

  @ApiProperty({ enum: TIMESTAMP_UNITS })
  timestampUnit!: TimestampUnit;

  @ApiProperty({ enum: ORDERINGS })
  ordering!: Ordering;

  @ApiProperty({ type: 'integer' })
  timeoutMs!: number;

  @ApiProperty({ type: 'integer' })
  maxConcurrency!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  maxPerSecond!: number | null;

  /** Seconds between attempts; null: the default schedule, 13 attempts over about 72 hours. */
  @ApiProperty({ type: 'integer', isArray: true, nullable: true })
  retrySchedule!: number[] | null;

  /** PEM of a private authority, trusted instead of the public ones. Null: the public ones are trusted. */
  @ApiProperty({ type: String, nullable: true })
  caCertificate!: string | null;

  /** The certificates in use, the dispatcher's own first. `health.notices` names each that expires within 30 days. */
  @ApiProperty({ type: () => CertificateInUseDto, isArray: true })
  certificates!: CertificateInUseDto[];

  @ApiProperty({ enum: ['active', 'paused'] })
  state!: 'active' | 'paused';

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  pausedAt!: string | null;

  /** When sending resumes automatically; null: only when a person resumes it. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  pausedUntil!: string | null;

  /** `Not live yet`: it was registered paused and has never been resumed. */
  @ApiProperty({ type: String, nullable: true })
  pauseReason!: string | null;

  /** Number of failed attempts since the last success. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  failuresInARow!: number;

  /** Null while the circuit is closed. */
  @ApiProperty({ type: () => CircuitDto, nullable: true })
  circuit!: CircuitDto | null;

  /** Why its credentials cannot be decrypted, and what to do; its deliveries are held meanwhile. Null: they can. */
  @ApiProperty({ type: String, nullable: true })
  secretFault!: string | null;

  @ApiProperty({ type: () => ConsumerHealthDto })
  health!: ConsumerHealthDto;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

/** A newly registered consumer. */
export class ConsumerCreatedDto extends ConsumerDto {
  /** Present only if the dispatcher generated it, and only in this response: pass it on to the consumer now. */
  @ApiProperty({ required: false })
  signingSecret?: string;
}

export class ConsumerListDto {
  @ApiProperty({ type: () => ConsumerDto, isArray: true })
  consumers!: ConsumerDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
