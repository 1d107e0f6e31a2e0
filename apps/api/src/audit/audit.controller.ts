import { instantOf, pageOf, paginated } from '#libs/contracts';
import { AuditRepository, type AuditRow, type Listed } from '#libs/database';
import { Controller, ForbiddenException, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, mayActAs, type Caller } from '../access/caller.js';
import { PROBLEM_RESPONSE } from '../http/problem-response.js';
import { streamedAnswer } from '../http/streamed-answer.js';
import { UUID } from '../http/query-rules.js';
import { AuditListDto, AuditQueryDto, type AuditEntryDto } from './audit.dto.js';

const CONSUMER = 'consumer:';

/** The audit log, which can be added to and read, and nothing else. */
@ApiTags('access')
@Controller({ path: 'audit', version: '1' })
export class AuditController {
  constructor(private readonly audit: AuditRepository) {}

  @Get()
  @Allow('admin', 'viewer')
  @ApiOperation({
    summary: 'Who did what, newest first',
    description: 'Admins read all of it; others what was done to one consumer: `target=consumer:<id>`.',
    operationId: 'listAudit',
  })
  @ApiOkResponse({ type: AuditListDto })
  @ApiBadRequestResponse(PROBLEM_RESPONSE('A parameter is wrong; `errors` names it.'))
  async list(@Query() query: AuditQueryDto, @CurrentCaller() caller: Caller): Promise<StreamableFile> {
    if (!mayActAs(caller, ['admin']) && !isOneConsumer(query.target)) {
      throw new ForbiddenException(
        'The whole audit log needs the role admin. Ask for one consumer’s entries: target=consumer:<id>.',
      );
    }
    const page = pageOf(query);
    const { offset: _offset, limit: _limit, from, to, ...filter } = query;
    const rows = await this.audit.list(
      {
        ...filter,
        ...(from === undefined ? {} : { from: instantOf(from) }),
        ...(to === undefined ? {} : { to: instantOf(to) }),
      },
      page,
    );
    const { entries, pagination } = paginated('entries', rows, page);
    return streamedAnswer({ name: 'entries', records: this.entries(entries), after: { pagination } });
  }

  private async *entries(page: readonly Listed[]): AsyncGenerator<string[]> {
    for await (const rows of this.audit.entries(page))
      yield rows.map((row) => JSON.stringify(entryView(row)));
  }
}

const isOneConsumer = (target: string | undefined): boolean =>
  target?.startsWith(CONSUMER) === true && UUID.test(target.slice(CONSUMER.length));

function entryView(row: AuditRow): AuditEntryDto {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actor,
    role: row.role,
    action: row.action,
    target: row.target,
    targetName: row.target_name,
    address: row.address,
    reason: row.reason,
    details: row.details,
    before: row.before,
    after: row.after,
  };
}
