import { instantOf, pageOf, paginated } from '#libs/contracts';
import { AuditRepository, type AuditFilter, type Listed } from '#libs/database';
import { Controller, ForbiddenException, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, mayActAs, type Caller } from '../access/caller.js';
import { InvalidQueryError } from '../http/invalid-input.js';
import { Refuses, TOO_SLOW } from '../http/refuses.js';
import { streamed, streamedAnswer } from '../http/streamed-answer.js';
import { UUID } from '../http/query-rules.js';
import { AcceptHeader, asFile, CSV, NDJSON, wantedMedia, type Media } from '../http/wanted-media.js';
import { CSV_HEADER, csvOf, entryView } from './audit-view.js';
import { AuditListDto, AuditQueryDto } from './audit.dto.js';

const CONSUMER = 'consumer:';

/** Entries of one export without a `limit`. */
const MOST_EXPORTED = 100_000;

/** The audit log, which can be added to and read, and nothing else. */
@ApiTags('access')
@ApiExtraModels(AuditListDto)
@Controller({ path: 'audit', version: '1' })
export class AuditController {
  constructor(private readonly audit: AuditRepository) {}

  @Get()
  @Allow('admin', 'viewer')
  @ApiOperation({
    summary: 'Who did what, newest first; or with `after` as a stream, oldest first',
    description:
      'Admins read all of it; others what was done to one consumer: `target=consumer:<id>`. With `Accept: ' +
      'application/x-ndjson` an entry is a line, with `text/csv` a record (RFC 4180; a text that begins like a formula ' +
      "has a `'` before it); both answer every entry that matches, 100,000 at most, unless `limit` is given. To follow " +
      'the log, begin with `after=0`, then ask again after the last id; an entry shows as soon as none can still be ' +
      'written before it, so none is missed and none comes twice.',
    operationId: 'listAudit',
  })
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(AuditListDto) } },
      [NDJSON]: { schema: { type: 'string' } },
      [CSV]: { schema: { type: 'string' } },
    },
  })
  @Refuses({
    400: 'A parameter is wrong, or too much matches for one export; `errors` names it.',
    504: TOO_SLOW,
  })
  async list(
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
        ? await this.audit.list(filterOf(query), page)
        : await this.audit.after(query.after, filterOf(query), page.limit);
    // A stream is continued after its last id. A cut export would look complete.
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

function filterOf(query: AuditQueryDto): AuditFilter {
  const { offset: _offset, limit: _limit, after: _after, from, to, ...filter } = query;
  return {
    ...filter,
    ...(from === undefined ? {} : { from: instantOf(from) }),
    ...(to === undefined ? {} : { to: instantOf(to) }),
  };
}
