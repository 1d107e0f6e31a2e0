import { PageQueryDto } from '#libs/contracts';
import { Body, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { Action, Id, Refuses, Routes } from '../../http/routes.js';
import { ReasonDto } from '../../http/reason.dto.js';
import { BulkActionCommands } from './bulk-action-commands.js';
import { bulkActionView } from './bulk-action-view.js';
import { BulkActionDto, BulkActionListDto, BulkPreviewDto } from './bulk-action.dto.js';
import { BulkActionsService } from './bulk-actions.service.js';
import { StartBulkActionDto } from './start-bulk-action.dto.js';

@Routes({ path: 'bulk-actions', tag: 'bulk actions' })
export class BulkActionsController {
  constructor(
    private readonly actions: BulkActionsService,
    private readonly commands: BulkActionCommands,
  ) {}

  /**
   * Retry, replay, cancel or settle every delivery that a filter matches
   * @remarks Runs in the workers and survives their crashes. Deliveries created later are not covered. With `dryRun`
   * nothing is changed, and the response has the number of deliveries that would be covered. With `expectedCount`
   * nothing is started if more deliveries match; it is started if fewer match.
   */
  @Post()
  @HttpCode(202)
  @Allow('oncall')
  @ApiOkResponse({ type: BulkPreviewDto, description: 'With `dryRun`.' })
  @ApiAcceptedResponse({ type: BulkActionDto })
  @Refuses({
    409: 'More than `expectedCount` match, or it took too long to count; see `matched`. Nothing was started.',
  })
  async startBulkAction(
    @Body() body: StartBulkActionDto,
    @CurrentActor() actor: Actor,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BulkPreviewDto | BulkActionDto> {
    if (body.dryRun !== true) return bulkActionView(await this.commands.start(body, actor));
    void reply.status(200);
    return this.actions.preview(body);
  }

  /** List the bulk actions, newest first */
  @Get()
  @Allow('viewer')
  listBulkActions(@Query() query: PageQueryDto): Promise<BulkActionListDto> {
    return this.actions.list(query);
  }

  /** Read a bulk action and its progress */
  @Get(':id')
  @Allow('viewer')
  readBulkAction(@Id() id: string): Promise<BulkActionDto> {
    return this.actions.read(id);
  }

  /**
   * Stop a bulk action
   * @remarks Changes already made are not undone. Stopping a stopped bulk action changes nothing.
   */
  @Action(':id/stop')
  @Allow('oncall')
  @Refuses({ 409: 'It has finished or failed.' })
  async stopBulkAction(
    @Id() id: string,
    @Body() { reason }: ReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<BulkActionDto> {
    return bulkActionView(await this.commands.stop(id, reason, actor));
  }
}
