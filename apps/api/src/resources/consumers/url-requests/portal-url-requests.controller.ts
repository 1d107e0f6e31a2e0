import { pageOf, paginated, PageQueryDto } from '#libs/contracts';
import { UrlRequestsRepository } from '#libs/database';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../../http/refuses.js';
import { uuidParameter } from '../../../http/uuid.pipe.js';
import { MakeUrlRequest } from './make-url-request.js';
import { WithdrawUrlRequest } from './withdraw-url-request.js';
import { OwnConsumer } from '../../../access/portal/own-consumer.decorator.js';
import { Portal } from '../../../access/portal/portal-route.decorator.js';
import { MakeUrlRequestDto, PortalUrlRequestDto, PortalUrlRequestListDto } from './portal-url-request.dto.js';
import { portalUrlRequestView } from './portal-url-request-view.js';

/** Requested changes of the own URL. The bank decides: a URL is where account numbers are sent. */
@Portal()
@Controller({ path: 'portal/url-requests', version: '1' })
export class PortalUrlRequestsController {
  constructor(
    private readonly requests: UrlRequestsRepository,
    private readonly makeUrlRequest: MakeUrlRequest,
    private readonly withdrawUrlRequest: WithdrawUrlRequest,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the requested changes of the own URL, newest first',
    operationId: 'listPortalUrlRequests',
  })
  @ApiOkResponse({ type: PortalUrlRequestListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  async list(
    @OwnConsumer() consumerId: string,
    @Query() query: PageQueryDto,
  ): Promise<PortalUrlRequestListDto> {
    const page = pageOf(query);
    const rows = await this.requests.ofConsumer(consumerId, page);
    return paginated('urlRequests', rows.map(portalUrlRequestView), page);
  }

  @Post()
  @ApiOperation({
    summary: 'Request a change of the own URL',
    description: 'The bank approves or rejects it. Until then the present URL is used. One request can wait.',
    operationId: 'makePortalUrlRequest',
  })
  @ApiCreatedResponse({ type: PortalUrlRequestDto })
  @Refuses({ 409: 'A request is waiting, or this is the URL already.', 422: INVALID_CONTENT })
  async make(
    @OwnConsumer() consumerId: string,
    @Body() body: MakeUrlRequestDto,
    @CurrentActor() actor: Actor,
  ): Promise<PortalUrlRequestDto> {
    return portalUrlRequestView(await this.makeUrlRequest.execute(consumerId, body, actor));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Withdraw a waiting request', operationId: 'withdrawPortalUrlRequest' })
  @ApiNoContentResponse()
  @Refuses({ 404: 'There is no such request.', 409: 'It has been decided or withdrawn.' })
  withdraw(
    @OwnConsumer() consumerId: string,
    @Param('id', uuidParameter) id: string,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.withdrawUrlRequest.execute(consumerId, id, actor);
  }
}
