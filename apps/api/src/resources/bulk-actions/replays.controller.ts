import { PageQueryDto } from '#libs/contracts';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { OptionalReasonDto } from '../../http/optional-reason.dto.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
import { OwnConsumer } from '../../access/portal/own-consumer.decorator.js';
import { Portal } from '../../access/portal/portal-route.decorator.js';
import { ReplayDto, ReplayListDto, ReplayPreviewDto, StartReplayDto } from './replay.dto.js';
import { ReplaysService } from './replays.service.js';

const NOT_FOUND = 'There is no such replay.';

@Portal()
@Controller({ path: 'portal/replays', version: '1' })
export class ReplaysController {
  constructor(private readonly replays: ReplaysService) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send the own deliveries of a period again',
    description:
      'Each with the same notification id and a full retry schedule. Deliveries created later are not covered. With ' +
      '`dryRun` nothing is changed, and the response has the number of deliveries. One replay can run at a time.',
    operationId: 'startPortalReplay',
  })
  @ApiOkResponse({ type: ReplayPreviewDto, description: 'With `dryRun`.' })
  @ApiAcceptedResponse({ type: ReplayDto })
  @Refuses({
    409: 'A replay runs, or more than `expectedCount` match (see `matched`). Nothing was started.',
    422: INVALID_CONTENT,
  })
  async start(
    @OwnConsumer() consumerId: string,
    @Body() body: StartReplayDto,
    @CurrentActor() actor: Actor,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReplayPreviewDto | ReplayDto> {
    if (body.dryRun !== true) return this.replays.start(consumerId, body, actor);
    void reply.status(200);
    return this.replays.preview(consumerId, body);
  }

  @Get()
  @ApiOperation({ summary: 'List the own replays, newest first', operationId: 'listPortalReplays' })
  @ApiOkResponse({ type: ReplayListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  list(@OwnConsumer() consumerId: string, @Query() query: PageQueryDto): Promise<ReplayListDto> {
    return this.replays.list(consumerId, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an own replay and its progress', operationId: 'readPortalReplay' })
  @ApiOkResponse({ type: ReplayDto })
  @Refuses({ 404: NOT_FOUND })
  read(@OwnConsumer() consumerId: string, @Param('id', uuidParameter) id: string): Promise<ReplayDto> {
    return this.replays.read(consumerId, id);
  }

  @Post(':id/stop')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Stop an own replay',
    description: 'What is due already is sent. Stopping a stopped replay changes nothing.',
    operationId: 'stopPortalReplay',
  })
  @ApiOkResponse({ type: ReplayDto })
  @Refuses({ 404: NOT_FOUND, 409: 'It has finished or failed.', 422: INVALID_CONTENT })
  stop(
    @OwnConsumer() consumerId: string,
    @Param('id', uuidParameter) id: string,
    @Body() { reason }: OptionalReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<ReplayDto> {
    return this.replays.stop(consumerId, id, reason, actor);
  }
}
