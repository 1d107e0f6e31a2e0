import { ReportRepository, type CountedFigures, type ReportFigures, type ReportRange } from '#libs/database';
import { LATENCY_BOUNDS_MS, percentileOf } from '#libs/policy';
import { Injectable } from '@nestjs/common';
import { InvalidQueryError } from '../../http/invalid-input.js';
import type { ConsumerReportDto, ReportDto, ReportFiguresDto, ReportQueryDto } from './report.dto.js';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 31;
const LATE_AFTER_MS = 60_000;

/** Maximum number of deliveries that are read one by one, which takes about 2 s; a list may take 5 s. */
const MOST_EXACT = 1_500_000;

const NOTHING: ReportFiguresDto = {
  accepted: 0,
  delivered: 0,
  late: 0,
  replayedOrPaused: 0,
  dead: 0,
  cancelled: 0,
  waiting: 0,
  p50Ms: null,
  p95Ms: null,
};

/** Reports each consumer's deliveries of a period, for the handover between shifts. */
@Injectable()
export class ReportsService {
  constructor(private readonly reports: ReportRepository) {}

  async read(query: ReportQueryDto): Promise<ReportDto> {
    const range = rangeOf(query);
    const isExact = (await this.reports.size(range)) <= MOST_EXACT;
    const figures = new Map(
      isExact
        ? (await this.reports.exact(range)).map((row) => [row.consumer_id, figuresOf(row)])
        : (await this.reports.counted(range)).map((row) => [row.consumer_id, countedOf(row, range)]),
    );
    const consumers =
      range.from < range.to
        ? await this.reports.consumers(
            range,
            [...figures.keys()].filter((id) => id !== null),
          )
        : [];
    const rows = consumers.map(({ id, name, downtime_ms }): ConsumerReportDto => ({
      consumerId: id,
      name,
      ...(figures.get(id) ?? NOTHING),
      downtimeMs: downtime_ms,
    }));
    return {
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      lateAfterMs: range.lateAfterMs,
      source: isExact ? 'deliveries' : 'statistics',
      consumers: rows,
      totals: figures.get(null) ?? NOTHING,
    };
  }
}

function rangeOf(query: ReportQueryDto): ReportRange {
  const { to = new Date(), from = new Date(to.getTime() - DAY_MS) } = query;
  if (to.getTime() - from.getTime() > LONGEST_DAYS * DAY_MS)
    throw new InvalidQueryError([
      { field: 'from', message: `must be at most ${String(LONGEST_DAYS)} days before \`to\`` },
    ]);
  return { from, to, lateAfterMs: query.lateAfterMs ?? LATE_AFTER_MS };
}

const figuresOf = (row: ReportFigures): ReportFiguresDto => ({
  ...countsOf(row),
  late: row.late,
  replayedOrPaused: row.replayed_or_paused,
  p50Ms: row.p50_ms,
  p95Ms: row.p95_ms,
});

/** Only buckets that lie completely above the threshold count as late. */
function countedOf(row: CountedFigures, { lateAfterMs }: ReportRange): ReportFiguresDto {
  const late = row.latency.filter((_, bucket) => (LATENCY_BOUNDS_MS[bucket - 1] ?? 0) >= lateAfterMs);
  return {
    ...countsOf(row),
    late: late.reduce((sum, count) => sum + count, 0),
    replayedOrPaused: null,
    p50Ms: percentileOf(row.latency, 0.5),
    p95Ms: percentileOf(row.latency, 0.95),
  };
}

/** The statistics can have more ends than acceptances in the period. */
const countsOf = ({ accepted, delivered, dead, cancelled }: ReportFigures | CountedFigures) => ({
  accepted,
  delivered,
  dead,
  cancelled,
  waiting: Math.max(0, accepted - delivered - dead - cancelled),
});
