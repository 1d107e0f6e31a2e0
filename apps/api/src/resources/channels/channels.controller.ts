import { PageQueryDto } from '#libs/contracts';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
import { ChangeChannelDto } from './change-channel.dto.js';
import { ChannelCreatedDto, ChannelDto, ChannelListDto, ChannelTestedDto } from './channel.dto.js';
import { ChannelsService } from './channels.service.js';
import { CreateChannelDto } from './create-channel.dto.js';

const NOT_FOUND = 'There is no such channel.';
const UNDECRYPTABLE = 'Its secrets cannot be decrypted; `detail` says what to do.';

/** Where health issues are announced. */
@ApiTags('issues')
@Controller({ path: 'channels', version: '1' })
export class ChannelsController {
  constructor(private readonly channels: ChannelsService) {}

  @Post()
  @Allow('operator')
  @ApiOperation({
    summary: 'Create a channel',
    description:
      'From now on it receives a message when an issue that its filter selects is opened, acknowledged or resolved. ' +
      'Messages that cannot be sent are repeated for 24 hours. The answer of a webhook has its signing secret, only once.',
    operationId: 'createChannel',
  })
  @ApiCreatedResponse({ type: ChannelCreatedDto })
  @Refuses({ 422: INVALID_CONTENT })
  create(@Body() body: CreateChannelDto, @CurrentActor() actor: Actor): Promise<ChannelCreatedDto> {
    return this.channels.create(body, actor);
  }

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'List the channels by name', operationId: 'listChannels' })
  @ApiOkResponse({ type: ChannelListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  list(@Query() query: PageQueryDto): Promise<ChannelListDto> {
    return this.channels.list(query);
  }

  @Get(':id')
  @Allow('viewer')
  @ApiOperation({ summary: 'Read a channel', operationId: 'readChannel' })
  @ApiOkResponse({ type: ChannelDto })
  @Refuses({ 404: NOT_FOUND })
  read(@Param('id', uuidParameter) id: string): Promise<ChannelDto> {
    return this.channels.read(id);
  }

  @Patch(':id')
  @Allow('operator')
  @ApiOperation({
    summary: 'Change a channel',
    description: 'Absent fields stay as they are. Messages that wait are sent to the new destination.',
    operationId: 'changeChannel',
  })
  @ApiOkResponse({ type: ChannelDto })
  @Refuses({ 404: NOT_FOUND, 409: UNDECRYPTABLE, 422: INVALID_CONTENT })
  change(
    @Param('id', uuidParameter) id: string,
    @Body() body: ChangeChannelDto,
    @CurrentActor() actor: Actor,
  ): Promise<ChannelDto> {
    return this.channels.change(id, body, actor);
  }

  @Delete(':id')
  @HttpCode(204)
  @Allow('operator')
  @ApiOperation({
    summary: 'Remove a channel',
    description: 'Its secrets are erased, and messages that wait are not sent.',
    operationId: 'removeChannel',
  })
  @ApiNoContentResponse()
  @Refuses({ 404: NOT_FOUND })
  remove(@Param('id', uuidParameter) id: string, @CurrentActor() actor: Actor): Promise<void> {
    return this.channels.remove(id, actor);
  }

  @Post(':id/test')
  @HttpCode(200)
  @Allow('operator')
  @ApiOperation({
    summary: 'Send a test message to a channel now',
    description:
      'Marked as a test, also to a disabled channel and at any hour. The answer says whether it was accepted.',
    operationId: 'testChannel',
  })
  @ApiOkResponse({ type: ChannelTestedDto })
  @Refuses({ 404: NOT_FOUND, 409: UNDECRYPTABLE })
  test(@Param('id', uuidParameter) id: string, @CurrentActor() actor: Actor): Promise<ChannelTestedDto> {
    return this.channels.test(id, actor);
  }
}
