import { pageOf, paginated, PageQueryDto } from '#libs/contracts';
import { UrlRequestsRepository } from '#libs/database';
import { Body, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { Id, Refuses } from '../../../http/routes.js';
import { UrlRequestCommands } from './url-request-commands.js';
import { OwnConsumer } from '../../../access/scope.js';
import { Portal } from '../../../access/portal-route.decorator.js';
import { MakeUrlRequestDto, PortalUrlRequestDto, PortalUrlRequestListDto } from './portal-url-request.dto.js';
import { portalUrlRequestView } from './portal-url-request-view.js';

/** Requested changes of the own URL. The bank decides: a URL is where account numbers are sent. */
@Portal('url-requests')
export class PortalUrlRequestsController {
  constructor(
    private readonly requests: UrlRequestsRepository,
    private readonly commands: UrlRequestCommands,
  ) {}

  /** List the requested changes of the own URL, newest first */
  @Get()
  async listPortalUrlRequests(
    @OwnConsumer() consumerId: string,
    @Query() query: PageQueryDto,
  ): Promise<PortalUrlRequestListDto> {
    const page = pageOf(query);
    const rows = await this.requests.ofConsumer(consumerId, page);
    return paginated('urlRequests', rows.map(portalUrlRequestView), page);
  }

  /**
   * Request a change of the own URL
   * @remarks The bank approves or rejects it. Until then the present URL is used. One request can wait.
   */
  @Post()
  @Refuses({ 409: 'A request is waiting, or this is the URL already.' })
  async makePortalUrlRequest(
    @OwnConsumer() consumerId: string,
    @Body() body: MakeUrlRequestDto,
    @CurrentActor() actor: Actor,
  ): Promise<PortalUrlRequestDto> {
    return portalUrlRequestView(await this.commands.make(consumerId, body, actor));
  }

  /** Withdraw a waiting request */
  @Delete(':id')
  @HttpCode(204)
  @Refuses({ 404: 'There is no such request.', 409: 'It has been decided or withdrawn.' })
  withdrawPortalUrlRequest(
    @OwnConsumer() consumerId: string,
    @Id() id: string,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.commands.withdraw(consumerId, id, actor);
  }
}
