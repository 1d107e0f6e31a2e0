import { Get, Query, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { csvLine } from '../../http/csv.js';
import { Refuses, Routes } from '../../http/routes.js';
import { AcceptHeader, asFile, CSV, wantedMedia } from '../../http/wanted-media.js';
import { ReportDto, ReportQueryDto, type ConsumerReportDto } from './report.dto.js';
import { ReportsService } from './reports.service.js';

/** Every field of a row, in the order of the page. */
const COLUMNS = [
  'consumerId',
  'name',
  'accepted',
  'delivered',
  'late',
  'replayedOrPaused',
  'dead',
  'cancelled',
  'waiting',
  'p50Ms',
  'p95Ms',
  'downtimeMs',
] as const satisfies readonly (keyof ConsumerReportDto)[];

@ApiExtraModels(ReportDto)
@Routes({ path: 'reports', tag: 'system' })
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  /**
   * Report: what each consumer was sent in a time, a row per consumer, with totals
   * @remarks Counts the deliveries that were accepted from `from` until before `to`, 31 days at most, by their state
   * now. Times count first deliveries only: what a person replayed, or what a pause of sending held, is neither late
   * nor in the percentiles, and is counted as `replayedOrPaused`. Up to about 1,500,000 deliveries every figure is exact
   * (`source: deliveries`). Above that they come from the statistics of each minute (`source: statistics`): `delivered`
   * and `dead` count what was delivered or died in the time; `late` and the percentiles include replays and pauses;
   * `late` counts from the next bound of the histogram (1, 1.5, 2, 3, 5, 7, 10 … ms); percentiles are rounded up to
   * such a bound; a process that was killed may have lost a few seconds; `cancelled` is exact. Downtime is the time for which the
   * circuit was open, from the audit log. With `Accept: text/csv` the rows come as CSV (RFC 4180), without totals; a
   * name that begins like a formula has a `'` before it.
   */
  @Get('consumers')
  @Allow('viewer')
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(ReportDto) } },
      [CSV]: { schema: { type: 'string' } },
    },
  })
  @Refuses({ 400: 'A parameter is wrong, or the time is longer than 31 days; `errors` names it.' })
  async reportConsumers(
    @Query() query: ReportQueryDto,
    @AcceptHeader() accept?: string,
  ): Promise<ReportDto | StreamableFile> {
    const report = await this.reports.read(query);
    if (wantedMedia(accept, [CSV]) !== CSV) return report;
    const lines = report.consumers.map((row) => csvLine(COLUMNS.map((column) => row[column])));
    const name = `report-${report.from.slice(0, 10)}-to-${report.to.slice(0, 10)}.csv`;
    return new StreamableFile(Buffer.from(csvLine(COLUMNS) + lines.join('')), asFile(CSV, name));
  }
}
