import { pageOf, paginated } from '#libs/contracts';
import { UrlRequestsRepository, type UrlRequestOfConsumer } from '#libs/database';
import { Body, Get, Query } from '@nestjs/common';
import { Allow } from '../../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { OptionalReasonDto, ReasonDto } from '../../../http/reason.dto.js';
import { Action, Id, Refuses, Routes } from '../../../http/routes.js';
import { UrlRequestCommands } from './url-request-commands.js';
import { UrlRequestDto, UrlRequestListDto, UrlRequestsQueryDto } from './url-request.dto.js';
import { viewOf } from '../../../http/view-of.js';
import { found } from '../../../http/found.js';

const NOT_FOUND = 'There is no such request.';

/** Changes of URLs that consumers' people requested in the portal. */
@Routes({ path: 'url-requests', tag: 'consumers' })
export class UrlRequestsController {
  constructor(
    private readonly requests: UrlRequestsRepository,
    private readonly commands: UrlRequestCommands,
  ) {}

  /** List the requested changes of consumers’ URLs, newest first */
  @Get()
  @Allow('viewer')
  async listUrlRequests(@Query() query: UrlRequestsQueryDto): Promise<UrlRequestListDto> {
    const page = pageOf(query);
    const rows = await this.requests.list(query.state, page);
    return paginated('urlRequests', rows.map(urlRequestView), page);
  }

  /**
   * Approve a requested URL: it is used from the next attempt on
   * @remarks Account numbers are sent to this URL. Confirm the request with the consumer’s contact over another
   * channel first.
   */
  @Action(':id/approve')
  @Allow('operator')
  @Refuses({
    404: NOT_FOUND,
    409: 'It was decided or withdrawn, or the consumer’s URL has changed since the request.',
  })
  async approveUrlRequest(
    @Id() id: string,
    @Body() { reason }: OptionalReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<UrlRequestDto> {
    await this.commands.approve(id, reason, actor);
    return this.read(id);
  }

  /** Reject a requested URL; the consumer’s people see the reason */
  @Action(':id/reject')
  @Allow('operator')
  @Refuses({ 404: NOT_FOUND, 409: 'It was decided or withdrawn.' })
  async rejectUrlRequest(
    @Id() id: string,
    @Body() { reason }: ReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<UrlRequestDto> {
    await this.commands.reject(id, reason, actor);
    return this.read(id);
  }

  private async read(id: string): Promise<UrlRequestDto> {
    const row = found(await this.requests.find(id), 'request');
    return urlRequestView(row);
  }
}

const urlRequestView = (row: UrlRequestOfConsumer): UrlRequestDto => viewOf(UrlRequestDto, row, {});
