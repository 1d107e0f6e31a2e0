import { PageQueryDto } from '#libs/contracts';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { ReasonDto } from '../../http/reason.dto.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
import { StartBulkAction } from './start-bulk-action.js';
import { StopBulkAction } from './stop-bulk-action.js';
import { bulkActionView } from './bulk-action-view.js';
import { BulkActionDto, BulkActionListDto, BulkPreviewDto } from './bulk-action.dto.js';
import { BulkActionsService } from './bulk-actions.service.js';
import { StartBulkActionDto } from './start-bulk-action.dto.js';

const NOT_FOUND = 'There is no such bulk action.';

@ApiTags('bulk actions')
@Controller({ path: 'bulk-actions', version: '1' })
export class BulkActionsController {
  constructor(
    private readonly actions: BulkActionsService,
    private readonly startBulkAction: StartBulkAction,
    private readonly stopBulkAction: StopBulkAction,
  ) {}

  @Post()
  @HttpCode(202)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Retry, replay, cancel or settle every delivery that a filter matches',
    description:
      'Runs in the workers and survives their crashes. Deliveries created later are not covered. ' +
      'With `dryRun` nothing is changed, and the response has the number of deliveries that would be covered. ' +
      'With `expectedCount` nothing is started if more deliveries match; it is started if fewer match.',
    operationId: 'startBulkAction',
  })
  @ApiOkResponse({ type: BulkPreviewDto, description: 'With `dryRun`.' })
  @ApiAcceptedResponse({ type: BulkActionDto })
  @Refuses({
    409: 'More than `expectedCount` match, or it took too long to count; see `matched`. Nothing was started.',
    422: INVALID_CONTENT,
  })
  async start(
    @Body() body: StartBulkActionDto,
    @CurrentActor() actor: Actor,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BulkPreviewDto | BulkActionDto> {
    if (body.dryRun !== true) return bulkActionView(await this.startBulkAction.execute(body, actor));
    void reply.status(200);
    return this.actions.preview(body);
  }

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'List the bulk actions, newest first', operationId: 'listBulkActions' })
  @ApiOkResponse({ type: BulkActionListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  list(@Query() query: PageQueryDto): Promise<BulkActionListDto> {
    return this.actions.list(query);
  }

  @Get(':id')
  @Allow('viewer')
  @ApiOperation({ summary: 'Read a bulk action and its progress', operationId: 'readBulkAction' })
  @ApiOkResponse({ type: BulkActionDto })
  @Refuses({ 404: NOT_FOUND })
  read(@Param('id', uuidParameter) id: string): Promise<BulkActionDto> {
    return this.actions.read(id);
  }

  @Post(':id/stop')
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Stop a bulk action',
    description: 'Changes already made are not undone. Stopping a stopped bulk action changes nothing.',
    operationId: 'stopBulkAction',
  })
  @ApiOkResponse({ type: BulkActionDto })
  @Refuses({ 404: NOT_FOUND, 409: 'It has finished or failed.', 422: INVALID_CONTENT })
  async stop(
    @Param('id', uuidParameter) id: string,
    @Body() { reason }: ReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<BulkActionDto> {
    return bulkActionView(await this.stopBulkAction.execute(id, reason, actor));
  }
}
