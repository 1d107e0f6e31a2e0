import { PageQueryDto } from '#libs/contracts';
import { Body, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { OptionalReasonDto } from '../../http/reason.dto.js';
import { Action, Id, Refuses } from '../../http/routes.js';
import { OwnConsumer } from '../../access/scope.js';
import { Portal } from '../../access/portal-route.decorator.js';
import { ReplayDto, ReplayListDto, ReplayPreviewDto, StartReplayDto } from './replay.dto.js';
import { ReplaysService } from './replays.service.js';

@Portal('replays')
export class ReplaysController {
  constructor(private readonly replays: ReplaysService) {}

  /**
   * Send the own deliveries of a period again
   * @remarks Each with the same notification id and a full retry schedule. Deliveries created later are not covered.
   * With `dryRun` nothing is changed, and the response has the number of deliveries. One replay can run at a time.
   */
  @Post()
  @HttpCode(202)
  @ApiOkResponse({ type: ReplayPreviewDto, description: 'With `dryRun`.' })
  @ApiAcceptedResponse({ type: ReplayDto })
  @Refuses({ 409: 'A replay runs, or more than `expectedCount` match (see `matched`). Nothing was started.' })
  async startPortalReplay(
    @OwnConsumer() consumerId: string,
    @Body() body: StartReplayDto,
    @CurrentActor() actor: Actor,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReplayPreviewDto | ReplayDto> {
    if (body.dryRun !== true) return this.replays.start(consumerId, body, actor);
    void reply.status(200);
    return this.replays.preview(consumerId, body);
  }

  /** List the own replays, newest first */
  @Get()
  listPortalReplays(@OwnConsumer() consumerId: string, @Query() query: PageQueryDto): Promise<ReplayListDto> {
    return this.replays.list(consumerId, query);
  }

  /** Read an own replay and its progress */
  @Get(':id')
  readPortalReplay(@OwnConsumer() consumerId: string, @Id() id: string): Promise<ReplayDto> {
    return this.replays.read(consumerId, id);
  }

  /**
   * Stop an own replay
   * @remarks What is due already is sent. Stopping a stopped replay changes nothing.
   */
  @Action(':id/stop')
  @Refuses({ 409: 'It has finished or failed.' })
  stopPortalReplay(
    @OwnConsumer() consumerId: string,
    @Id() id: string,
    @Body() { reason }: OptionalReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<ReplayDto> {
    return this.replays.stop(consumerId, id, reason, actor);
  }
}
