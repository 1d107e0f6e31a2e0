import { Body } from '@nestjs/common';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { ReasonDto } from '../../http/reason.dto.js';
import { Action, Routes } from '../../http/routes.js';
import { SendingCommands } from './sending-commands.js';
import { SendingDto } from './sending.dto.js';

@Routes({ path: 'sending', tag: 'system' })
export class SendingController {
  constructor(private readonly commands: SendingCommands) {}

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
