import { pageOf, paginated } from '#libs/contracts';
import { UrlRequestsRepository, type UrlRequestOfConsumer } from '#libs/database';
import { Body, Controller, Get, HttpCode, NotFoundException, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { OptionalReasonDto } from '../../../http/optional-reason.dto.js';
import { ReasonDto } from '../../../http/reason.dto.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../../http/refuses.js';
import { uuidParameter } from '../../../http/uuid.pipe.js';
import { ApproveUrlRequest } from './approve-url-request.js';
import { RejectUrlRequest } from './reject-url-request.js';
import { UrlRequestDto, UrlRequestListDto, UrlRequestsQueryDto } from './url-request.dto.js';

const NOT_FOUND = 'There is no such request.';

/** Changes of URLs that consumers' people requested in the portal. */
@ApiTags('consumers')
@Controller({ path: 'url-requests', version: '1' })
export class UrlRequestsController {
  constructor(
    private readonly requests: UrlRequestsRepository,
    private readonly approveUrlRequest: ApproveUrlRequest,
    private readonly rejectUrlRequest: RejectUrlRequest,
  ) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'List the requested changes of consumers’ URLs, newest first',
    operationId: 'listUrlRequests',
  })
  @ApiOkResponse({ type: UrlRequestListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  async list(@Query() query: UrlRequestsQueryDto): Promise<UrlRequestListDto> {
    const page = pageOf(query);
    const rows = await this.requests.list(query.state, page);
    return paginated('urlRequests', rows.map(urlRequestView), page);
  }

  @Post(':id/approve')
  @HttpCode(200)
  @Allow('operator')
  @ApiOperation({
    summary: 'Approve a requested URL: it is used from the next attempt on',
    description:
      'Account numbers are sent to this URL. Confirm the request with the consumer’s contact over another channel first.',
    operationId: 'approveUrlRequest',
  })
  @ApiOkResponse({ type: UrlRequestDto })
  @Refuses({
    404: NOT_FOUND,
    409: 'It was decided or withdrawn, or the consumer’s URL has changed since the request.',
    422: INVALID_CONTENT,
  })
  async approve(
    @Param('id', uuidParameter) id: string,
    @Body() { reason }: OptionalReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<UrlRequestDto> {
    await this.approveUrlRequest.execute(id, reason, actor);
    return this.read(id);
  }

  @Post(':id/reject')
  @HttpCode(200)
  @Allow('operator')
  @ApiOperation({
    summary: 'Reject a requested URL; the consumer’s people see the reason',
    operationId: 'rejectUrlRequest',
  })
  @ApiOkResponse({ type: UrlRequestDto })
  @Refuses({ 404: NOT_FOUND, 409: 'It was decided or withdrawn.', 422: INVALID_CONTENT })
  async reject(
    @Param('id', uuidParameter) id: string,
    @Body() { reason }: ReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<UrlRequestDto> {
    await this.rejectUrlRequest.execute(id, reason, actor);
    return this.read(id);
  }

  private async read(id: string): Promise<UrlRequestDto> {
    const row = await this.requests.find(id);
    if (row === undefined) throw new NotFoundException(NOT_FOUND);
    return urlRequestView(row);
  }
}

const urlRequestView = (row: UrlRequestOfConsumer): UrlRequestDto => ({
  id: row.id,
  consumerId: row.consumer_id,
  consumerName: row.consumer_name,
  url: row.url,
  urlBefore: row.url_before,
  currentUrl: row.current_url,
  state: row.state,
  reason: row.reason,
  madeBy: row.made_by,
  madeAt: row.made_at.toISOString(),
  decidedBy: row.decided_by,
  decidedAt: row.decided_at?.toISOString() ?? null,
  decisionReason: row.decision_reason,
});
