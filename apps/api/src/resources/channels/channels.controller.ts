import { PageQueryDto } from '#libs/contracts';
import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { Action, Id, Refuses, Routes } from '../../http/routes.js';
import { ChangeChannelDto } from './change-channel.dto.js';
import { ChannelCreatedDto, ChannelDto, ChannelListDto, ChannelTestedDto } from './channel.dto.js';
import { ChannelsService } from './channels.service.js';
import { CreateChannelDto } from './create-channel.dto.js';

const UNDECRYPTABLE = 'Its secrets cannot be decrypted; `detail` says what to do.';

/** Where health issues are announced. */
@Routes({ path: 'channels', tag: 'issues' })
export class ChannelsController {
  constructor(private readonly channels: ChannelsService) {}

  /**
   * Create a channel
   * @remarks From now on it receives a message when an issue that its filter selects is opened, acknowledged or
   * resolved. Messages that cannot be sent are repeated for 24 hours. The answer of a webhook has its signing secret,
   * only once.
   */
  @Post()
  @Allow('operator')
  createChannel(@Body() body: CreateChannelDto, @CurrentActor() actor: Actor): Promise<ChannelCreatedDto> {
    return this.channels.create(body, actor);
  }

  /** List the channels by name */
  @Get()
  @Allow('viewer')
  listChannels(@Query() query: PageQueryDto): Promise<ChannelListDto> {
    return this.channels.list(query);
  }

  /** Read a channel */
  @Get(':id')
  @Allow('viewer')
  readChannel(@Id() id: string): Promise<ChannelDto> {
    return this.channels.read(id);
  }

  /**
   * Change a channel
   * @remarks Absent fields stay as they are. Messages that wait are sent to the new destination.
   */
  @Patch(':id')
  @Allow('operator')
  @Refuses({ 409: UNDECRYPTABLE })
  changeChannel(
    @Id() id: string,
    @Body() body: ChangeChannelDto,
    @CurrentActor() actor: Actor,
  ): Promise<ChannelDto> {
    return this.channels.change(id, body, actor);
  }

  /**
   * Remove a channel
   * @remarks Its secrets are erased, and messages that wait are not sent.
   */
  @Delete(':id')
  @HttpCode(204)
  @Allow('operator')
  removeChannel(@Id() id: string, @CurrentActor() actor: Actor): Promise<void> {
    return this.channels.remove(id, actor);
  }

  /**
   * Send a test message to a channel now
   * @remarks Marked as a test, also to a disabled channel and at any hour. The answer says whether it was accepted.
   */
  @Action(':id/test')
  @Allow('operator')
  @Refuses({ 409: UNDECRYPTABLE })
  testChannel(@Id() id: string, @CurrentActor() actor: Actor): Promise<ChannelTestedDto> {
    return this.channels.test(id, actor);
  }
}
