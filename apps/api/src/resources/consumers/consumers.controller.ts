import { Body, Delete, Get, HttpCode, Patch, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { Action, Id, Refuses, Routes } from '../../http/routes.js';
import { ReasonDto } from '../../http/reason.dto.js';
import { ConsumerCreatedDto, ConsumerDto, ConsumerListDto } from './consumer.dto.js';
import { ConsumerCommands } from './consumer-commands.js';
import { ConsumersQueryDto } from './consumers-query.dto.js';
import { ConsumersService } from './consumers.service.js';
import { PauseConsumerDto } from './pause-consumer.dto.js';
import { RegisterConsumerDto } from './register-consumer.dto.js';
import { UpdateConsumerDto } from './update-consumer.dto.js';

const CONFLICT = 'Another consumer has this externalId.';

@Routes({ path: 'consumers', tag: 'consumers' })
export class ConsumersController {
  constructor(
    private readonly consumers: ConsumersService,
    private readonly commands: ConsumerCommands,
  ) {}

  /** Register a consumer */
  @Post()
  @Allow('operator')
  @Refuses({ 409: CONFLICT })
  async registerConsumer(
    @Body() body: RegisterConsumerDto,
    @CurrentActor() actor: Actor,
  ): Promise<ConsumerCreatedDto> {
    const { id, signingSecret } = await this.commands.register(body, actor);
    const registered = await this.consumers.read(id);
    return signingSecret === undefined ? registered : { ...registered, signingSecret };
  }

  /** List the consumers, newest first */
  @Get()
  @Allow('viewer')
  @ApiOkResponse({ type: ConsumerListDto })
  listConsumers(@Query() query: ConsumersQueryDto): Promise<StreamableFile> {
    return this.consumers.list(query);
  }

  /** Read a consumer */
  @Get(':id')
  @Allow('viewer')
  readConsumer(@Id() id: string): Promise<ConsumerDto> {
    return this.consumers.read(id);
  }

  /**
   * Change a consumer
   * @remarks A changed URL is used from the next attempt on; each attempt records its URL.
   */
  @Patch(':id')
  @Allow('operator')
  @Refuses({ 409: CONFLICT })
  async changeConsumer(
    @Id() id: string,
    @Body() body: UpdateConsumerDto,
    @CurrentActor() actor: Actor,
  ): Promise<ConsumerDto> {
    await this.commands.change(id, body, actor);
    return this.consumers.read(id);
  }

  /**
   * Pause a consumer
   * @remarks Nothing is sent to it until `until`, or until a person resumes it. Its deliveries are held and none is
   * lost: paused time does not count. Requests under way are finished.
   */
  @Action(':id/pause')
  @Allow('oncall')
  async pauseConsumer(
    @Id() id: string,
    @Body() body: PauseConsumerDto,
    @CurrentActor() actor: Actor,
  ): Promise<ConsumerDto> {
    await this.commands.pause(id, body, actor);
    return this.consumers.read(id);
  }

  /**
   * Resume a consumer, or probe one that is down
   * @remarks Ends its pause. If its circuit is open, one probe is sent at once, and the rest after it is
   * acknowledged; otherwise the waiting deliveries are sent in order, within the consumer’s limits.
   */
  @Action(':id/resume')
  @Allow('oncall')
  async resumeConsumer(
    @Id() id: string,
    @Body() { reason }: ReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<ConsumerDto> {
    await this.commands.resume(id, reason, actor);
    return this.consumers.read(id);
  }

  /**
   * Remove a consumer
   * @remarks Cancels its pending deliveries; nothing more is sent to it.
   */
  @Delete(':id')
  @HttpCode(204)
  @Allow('operator')
  removeConsumer(@Id() id: string, @CurrentActor() actor: Actor): Promise<void> {
    return this.commands.remove(id, actor);
  }
}
