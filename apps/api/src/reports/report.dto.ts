import { ApiProperty } from '@nestjs/swagger';
import { InstantParameter, IntegerParameter } from '../http/query-rules.js';

/** What `GET /v1/reports/consumers` reports on. */
export class ReportQueryDto {
  /** Accepted at or after; 24 hours before `to` when it is missing. */
  @InstantParameter()
  from?: string;

  /** Accepted before; now when it is missing. */
  @InstantParameter()
  to?: string;

  /** A delivery is late when it was delivered more than this many milliseconds after acceptance; 60,000 when it is missing. */
  @IntegerParameter({ min: 0, max: 2_147_483_647 })
  lateAfterMs?: string;
}

/** What was accepted in the time, and what has become of it. */
export class ReportFiguresDto {
  /** Deliveries accepted in the time. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  accepted!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  delivered!: number;

  /** Delivered more than `lateAfterMs` after acceptance. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  late!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  dead!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  cancelled!: number;

  /** Median time from acceptance to delivery, in milliseconds. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  p50Ms!: number | null;

  /** 95th percentile of the same. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  p95Ms!: number | null;

  /** How long the circuit was open within the time; of several consumers the sum. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  downtimeMs!: number;
}

export class ConsumerReportDto extends ReportFiguresDto {
  @ApiProperty({ format: 'uuid' })
  consumerId!: string;

  @ApiProperty()
  name!: string;
}

export class ReportDto {
  @ApiProperty({ format: 'date-time' })
  from!: string;

  @ApiProperty({ format: 'date-time' })
  to!: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  lateAfterMs!: number;

  /** `deliveries`: exact. `statistics`: counted minute by minute, see the description. */
  @ApiProperty({ enum: ['deliveries', 'statistics'] })
  source!: 'deliveries' | 'statistics';

  /** By name. */
  @ApiProperty({ type: () => ConsumerReportDto, isArray: true })
  consumers!: ConsumerReportDto[];

  @ApiProperty({ type: () => ReportFiguresDto })
  totals!: ReportFiguresDto;
}
