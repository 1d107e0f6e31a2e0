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

/** A consumer as it is shown: no secret, no password. */
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

  /** Seconds between attempts; null: the product's own schedule. */
  @ApiProperty({ type: 'integer', isArray: true, nullable: true })
  retrySchedule!: number[] | null;

  /** PEM of its private authority; null: the public ones. */
  @ApiProperty({ type: String, nullable: true })
  caCertificate!: string | null;

  /** The certificates in use, ours first. `health.notices` names each that expires within 30 days. */
  @ApiProperty({ type: () => CertificateInUseDto, isArray: true })
  certificates!: CertificateInUseDto[];

  @ApiProperty({ enum: ['active', 'paused'] })
  state!: 'active' | 'paused';

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  pausedAt!: string | null;

  /** When it resumes automatically; null: when a person resumes it. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  pausedUntil!: string | null;

  /** `Not live yet`: it was registered paused and has never been resumed. */
  @ApiProperty({ type: String, nullable: true })
  pauseReason!: string | null;

  /** Failed attempts since its last success. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  failuresInARow!: number;

  /** Null while its circuit is closed. */
  @ApiProperty({ type: () => CircuitDto, nullable: true })
  circuit!: CircuitDto | null;

  /** Why its credentials cannot be decrypted, and what to do about it; its deliveries wait until they can. */
  @ApiProperty({ type: String, nullable: true })
  secretFault!: string | null;

  @ApiProperty({ type: () => ConsumerHealthDto })
  health!: ConsumerHealthDto;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

/** The answer to a registration. */
export class ConsumerCreatedDto extends ConsumerDto {
  /** Only when it was made here, and only in this answer: hand it to the consumer now. */
  @ApiProperty({ required: false })
  signingSecret?: string;
}

export class ConsumerListDto {
  @ApiProperty({ type: () => ConsumerDto, isArray: true })
  consumers!: ConsumerDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
