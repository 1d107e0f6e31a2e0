import { ApiProperty } from '@nestjs/swagger';
import { InstantParameter, IntegerParameter } from '../http/query-rules.js';

/** Query parameters of `GET /v1/reports/consumers`. */
export class ReportQueryDto {
  /** Start of the period of acceptance, inclusive. Absent: 24 hours before `to`. */
  @InstantParameter()
  from?: string;

  /** End of the period of acceptance, exclusive. Absent: now. */
  @InstantParameter()
  to?: string;

  /** A delivery is late if it was delivered more than this many milliseconds after acceptance. Absent: 60,000. */
  @IntegerParameter({ min: 0, max: 2_147_483_647 })
  lateAfterMs?: string;
}

/** Deliveries accepted in the period, by their current state. */
export class ReportFiguresDto {
  /** Number of deliveries accepted in the period. */
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

  /** 95th percentile of the time from acceptance to delivery, in milliseconds. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  p95Ms!: number | null;

  /** Time for which the circuit was open in the period; for several consumers, the sum. */
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

  /** `deliveries`: exact. `statistics`: from the statistics of each minute; see the operation's description. */
  @ApiProperty({ enum: ['deliveries', 'statistics'] })
  source!: 'deliveries' | 'statistics';

  /** Sorted by name. */
  @ApiProperty({ type: () => ConsumerReportDto, isArray: true })
  consumers!: ConsumerReportDto[];

  @ApiProperty({ type: () => ReportFiguresDto })
  totals!: ReportFiguresDto;
}
