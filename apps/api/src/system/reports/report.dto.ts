import { InstantText, Whole, type Count, type Instant, type Uuid } from '#libs/contracts';

/** Query parameters of `GET /v1/reports/consumers`. */
export class ReportQueryDto {
  /** Start of the period of acceptance, inclusive. Absent: 24 hours before `to`. */
  @InstantText({ optional: true })
  from?: Date;

  /** End of the period of acceptance, exclusive. Absent: now. */
  @InstantText({ optional: true })
  to?: Date;

  /** A delivery is late if it was delivered more than this many milliseconds after acceptance, see `late`. Absent: 60,000. */
  @Whole({ min: 0, max: 2_147_483_647 }, { optional: true })
  lateAfterMs?: number;
}

/** Deliveries accepted in the period, by their current state. */
export class ReportFiguresDto {
  /** Number of deliveries accepted in the period. */
  accepted!: Count;
  delivered!: Count;
  /** Delivered more than `lateAfterMs` after acceptance, without those of `replayedOrPaused`. */
  late!: Count;
  /**
   * Delivered after a replay, or sending was paused between acceptance and delivery. Their times count neither as late
   * nor in the percentiles. Null if the source is `statistics`.
   */
  replayedOrPaused!: Count | null;
  dead!: Count;
  cancelled!: Count;
  /** Not finished: `accepted` less `delivered`, `dead` and `cancelled`. */
  waiting!: Count;
  /** Median time from acceptance to delivery, in milliseconds. */
  p50Ms!: Count | null;
  /** 95th percentile of the time from acceptance to delivery, in milliseconds. */
  p95Ms!: Count | null;
}

export class ConsumerReportDto extends ReportFiguresDto {
  consumerId!: Uuid;
  name!: string;
  /** Time for which the circuit was open in the period. */
  downtimeMs!: Count;
}

export class ReportDto {
  from!: Instant;
  to!: Instant;
  lateAfterMs!: Count;
  /** `deliveries`: exact. `statistics`: from the statistics of each minute; see the operation's description. */
  source!: 'deliveries' | 'statistics';
  /** Sorted by name. */
  consumers!: ConsumerReportDto[];
  totals!: ReportFiguresDto;
}
