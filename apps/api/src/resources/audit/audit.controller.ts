import { pageOf, paginated, UUID } from '#libs/contracts';
import { AuditRepository, type Listed } from '#libs/database';
import { ForbiddenException, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, mayActAs, type Caller } from '../../access/caller.js';
import { InvalidQueryError } from '../../http/invalid-input.js';
import { Refuses, Routes } from '../../http/routes.js';
import { streamed, streamedAnswer } from '../../http/streamed-answer.js';
import { AcceptHeader, asFile, CSV, NDJSON, wantedMedia, type Media } from '../../http/wanted-media.js';
import { CSV_HEADER, csvOf, entryView } from './audit-view.js';
import { AuditListDto, AuditQueryDto } from './audit.dto.js';

const CONSUMER = 'consumer:';

/** Maximum entries of an export without a `limit`. */
const MOST_EXPORTED = 100_000;

/** The audit log. Entries can be added and read, but not changed or removed. */
@ApiExtraModels(AuditListDto)
@Routes({ path: 'audit', tag: 'access' })
export class AuditController {
  constructor(private readonly audit: AuditRepository) {}

  /**
   * List the audit log, newest first; with `after` as a stream, oldest first
   * @remarks Admins can read all entries, viewers those of one consumer: `target=consumer:<id>`.
   * `Accept: application/x-ndjson` returns one entry per line, `text/csv` one per record (RFC 4180; a `'` is put
   * before texts that begin like a formula). Both return all matching entries (maximum 100,000) or `limit` entries.
   * To follow the log, start with `after=0`, then repeat with the last id. An entry is listed when no earlier one can
   * still be written, so no entry is missed or returned twice.
   */
  @Get()
  @Allow('admin', 'viewer')
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(AuditListDto) } },
      [NDJSON]: { schema: { type: 'string' } },
      [CSV]: { schema: { type: 'string' } },
    },
  })
  @Refuses({
    400: 'A parameter is invalid, or too many entries match for one export; `errors` names the parameter.',
  })
  async listAudit(
    @Query() query: AuditQueryDto,
    @CurrentCaller() caller: Caller,
    @AcceptHeader() accept?: string,
  ): Promise<StreamableFile> {
    if (!mayActAs(caller, ['admin']) && !isOneConsumer(query.target)) {
      throw new ForbiddenException(
        'The whole audit log needs the role admin. Ask for one consumer’s entries: target=consumer:<id>.',
      );
    }
    if (query.after !== undefined && query.offset !== undefined)
      throw new InvalidQueryError([{ field: 'offset', message: 'must not be given together with `after`' }]);
    const media = wantedMedia(accept, [NDJSON, CSV]);
    const isExport = media !== 'application/json' && query.limit === undefined;
    const page = { ...pageOf(query), ...(isExport ? { limit: MOST_EXPORTED } : {}) };
    const rows =
      query.after === undefined
        ? await this.audit.list(query, page)
        : await this.audit.after(String(query.after), query, page.limit);
    // A stream can be continued after its last id, but a truncated export would look complete.
    if (isExport && query.after === undefined && rows.length > page.limit)
      throw new InvalidQueryError([
        { field: 'from', message: `more than ${String(MOST_EXPORTED)} entries match: narrow from and to` },
      ]);
    return this.answer(media, rows, page);
  }

  private answer(
    media: Media,
    rows: readonly Listed[],
    page: { offset: number; limit: number },
  ): Promise<StreamableFile> {
    const { entries, pagination } = paginated('entries', rows, page);
    switch (media) {
      case 'application/json':
        return streamedAnswer({ name: 'entries', records: this.texts(entries), after: { pagination } });
      case NDJSON:
        return streamed(this.lines(entries), asFile(NDJSON, 'audit.ndjson'));
      case CSV:
        return streamed(this.records(entries), asFile(CSV, 'audit.csv'));
    }
  }

  private async *texts(page: readonly Listed[]): AsyncGenerator<string[]> {
    for await (const rows of this.audit.entries(page))
      yield rows.map((row) => JSON.stringify(entryView(row)));
  }

  private async *lines(page: readonly Listed[]): AsyncGenerator<Buffer, void> {
    for await (const texts of this.texts(page)) yield Buffer.from(texts.map((text) => `${text}\n`).join(''));
  }

  private async *records(page: readonly Listed[]): AsyncGenerator<Buffer, void> {
    yield Buffer.from(CSV_HEADER);
    for await (const rows of this.audit.entries(page))
      yield Buffer.from(rows.map((row) => csvOf(entryView(row))).join(''));
  }
}

const isOneConsumer = (target: string | undefined): boolean =>
  target?.startsWith(CONSUMER) === true && UUID.test(target.slice(CONSUMER.length));
