import { Body, Get } from '@nestjs/common';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { ReasonDto } from '../../http/reason.dto.js';
import { Action, Routes } from '../../http/routes.js';
import { SendingCommands } from '../../resources/sending/sending-commands.js';
import { QueueReadingService } from './queue-reading.service.js';
import { QueueDto } from './queue.dto.js';
import { SendingDto } from './sending.dto.js';

@Routes({ path: 'queue', tag: 'queue' })
export class QueueController {
  constructor(
    private readonly reading: QueueReadingService,
    private readonly commands: SendingCommands,
  ) {}

  /** Read figures, backlog, consumers that need attention, workers */
  @Get()
  @Allow('viewer')
  readQueue(): Promise<QueueDto> {
    return this.reading.read();
  }

  /**
   * Pause sending to all consumers
   * @remarks Accepting goes on, and nothing is lost.
   */
  @Action('pause')
  @Allow('oncall')
  async pauseSending(@Body() { reason }: ReasonDto, @CurrentActor() actor: Actor): Promise<SendingDto> {
    const pausedAt = await this.commands.pause(reason, actor);
    return { state: 'paused', pausedAt: pausedAt.toISOString() };
  }

  /**
   * Resume sending
   * @remarks Consumers that are paused themselves stay paused.
   */
  @Action('resume')
  @Allow('oncall')
  async resumeSending(@Body() { reason }: ReasonDto, @CurrentActor() actor: Actor): Promise<SendingDto> {
    await this.commands.resume(reason, actor);
    return { state: 'active', pausedAt: null };
  }
}
