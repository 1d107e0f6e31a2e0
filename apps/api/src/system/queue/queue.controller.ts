import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { INVALID_CONTENT, Refuses } from '../../http/refuses.js';
import { ReasonDto } from '../../http/reason.dto.js';
import { PauseSending } from '../../resources/sending/pause-sending.js';
import { ResumeSending } from '../../resources/sending/resume-sending.js';
import { QueueReadingService } from './queue-reading.service.js';
import { QueueDto } from './queue.dto.js';
import { SendingDto } from './sending.dto.js';

@ApiTags('queue')
@Controller({ path: 'queue', version: '1' })
export class QueueController {
  constructor(
    private readonly reading: QueueReadingService,
    private readonly pauseSending: PauseSending,
    private readonly resumeSending: ResumeSending,
  ) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'Read figures, backlog, consumers that need attention, workers',
    operationId: 'readQueue',
  })
  @ApiOkResponse({ type: QueueDto })
  read(): Promise<QueueDto> {
    return this.reading.read();
  }

  @Post('pause')
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Pause sending to all consumers',
    description: 'Accepting goes on, and nothing is lost.',
    operationId: 'pauseSending',
  })
  @ApiOkResponse({ type: SendingDto })
  @Refuses({ 422: INVALID_CONTENT })
  async pause(@Body() { reason }: ReasonDto, @CurrentActor() actor: Actor): Promise<SendingDto> {
    const pausedAt = await this.pauseSending.execute(reason, actor);
    return { state: 'paused', pausedAt: pausedAt.toISOString() };
  }

  @Post('resume')
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Resume sending',
    description: 'Consumers that are paused themselves stay paused.',
    operationId: 'resumeSending',
  })
  @ApiOkResponse({ type: SendingDto })
  @Refuses({ 422: INVALID_CONTENT })
  async resume(@Body() { reason }: ReasonDto, @CurrentActor() actor: Actor): Promise<SendingDto> {
    await this.resumeSending.execute(reason, actor);
    return { state: 'active', pausedAt: null };
  }
}
