import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  type StreamableFile,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { PageQueryDto } from '#libs/contracts';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { ReasonDto } from '../../http/reason.dto.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
import { ChangeConsumer } from './change-consumer.js';
import { PauseConsumer } from './pause-consumer.js';
import { RegisterConsumer } from './register-consumer.js';
import { RemoveConsumer } from './remove-consumer.js';
import { ResumeConsumer } from './resume-consumer.js';
import { ConsumerCreatedDto, ConsumerDto, ConsumerListDto } from './consumer.dto.js';
import { ConsumersService } from './consumers.service.js';
import { PauseConsumerDto } from './pause-consumer.dto.js';
import { RegisterConsumerDto } from './register-consumer.dto.js';
import { UpdateConsumerDto } from './update-consumer.dto.js';

const NOT_FOUND = 'There is no such consumer.';
const CONFLICT = 'Another consumer has this externalId.';

@ApiTags('consumers')
@Controller({ path: 'consumers', version: '1' })
export class ConsumersController {
  constructor(
    private readonly consumers: ConsumersService,
    private readonly registerConsumer: RegisterConsumer,
    private readonly changeConsumer: ChangeConsumer,
    private readonly removeConsumer: RemoveConsumer,
    private readonly pauseConsumer: PauseConsumer,
    private readonly resumeConsumer: ResumeConsumer,
  ) {}

  @Post()
  @Allow('operator')
  @ApiOperation({ summary: 'Register a consumer', operationId: 'registerConsumer' })
  @ApiCreatedResponse({ type: ConsumerCreatedDto })
  @Refuses({ 409: CONFLICT, 422: INVALID_CONTENT })
  async register(
    @Body() body: RegisterConsumerDto,
    @CurrentActor() actor: Actor,
  ): Promise<ConsumerCreatedDto> {
    const { id, signingSecret } = await this.registerConsumer.execute(body, actor);
    const registered = await this.consumers.read(id);
    return signingSecret === undefined ? registered : { ...registered, signingSecret };
  }

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'List the consumers, newest first', operationId: 'listConsumers' })
  @ApiOkResponse({ type: ConsumerListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  list(@Query() query: PageQueryDto): Promise<StreamableFile> {
    return this.consumers.list(query);
  }

  @Get(':id')
  @Allow('viewer')
  @ApiOperation({ summary: 'Read a consumer', operationId: 'readConsumer' })
  @ApiOkResponse({ type: ConsumerDto })
  @Refuses({ 404: NOT_FOUND })
  read(@Param('id', uuidParameter) id: string): Promise<ConsumerDto> {
    return this.consumers.read(id);
  }

  @Patch(':id')
  @Allow('operator')
  @ApiOperation({
    summary: 'Change a consumer',
    description: 'A changed URL is used from the next attempt on; each attempt records its URL.',
    operationId: 'changeConsumer',
  })
  @ApiOkResponse({ type: ConsumerDto })
  @Refuses({ 404: NOT_FOUND, 409: CONFLICT, 422: INVALID_CONTENT })
  async change(
    @Param('id', uuidParameter) id: string,
    @Body() body: UpdateConsumerDto,
    @CurrentActor() actor: Actor,
  ): Promise<ConsumerDto> {
    await this.changeConsumer.execute(id, body, actor);
    return this.consumers.read(id);
  }

  @Post(':id/pause')
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Pause a consumer',
    description:
      'Nothing is sent to it until `until`, or until a person resumes it. Its deliveries are held and none is lost: paused ' +
      'time does not count. Requests under way are finished.',
    operationId: 'pauseConsumer',
  })
  @ApiOkResponse({ type: ConsumerDto })
  @Refuses({ 404: NOT_FOUND, 422: INVALID_CONTENT })
  async pause(
    @Param('id', uuidParameter) id: string,
    @Body() body: PauseConsumerDto,
    @CurrentActor() actor: Actor,
  ): Promise<ConsumerDto> {
    await this.pauseConsumer.execute(id, body, actor);
    return this.consumers.read(id);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Resume a consumer, or probe one that is down',
    description:
      'Ends its pause. If its circuit is open, one probe is sent at once, and the rest after it is acknowledged; ' +
      'otherwise the waiting deliveries are sent in order, within the consumer’s limits.',
    operationId: 'resumeConsumer',
  })
  @ApiOkResponse({ type: ConsumerDto })
  @Refuses({ 404: NOT_FOUND, 422: INVALID_CONTENT })
  async resume(
    @Param('id', uuidParameter) id: string,
    @Body() { reason }: ReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<ConsumerDto> {
    await this.resumeConsumer.execute(id, reason, actor);
    return this.consumers.read(id);
  }

  @Delete(':id')
  @HttpCode(204)
  @Allow('operator')
  @ApiOperation({
    summary: 'Remove a consumer',
    description: 'Cancels its pending deliveries; nothing more is sent to it.',
    operationId: 'removeConsumer',
  })
  @ApiNoContentResponse()
  @Refuses({ 404: NOT_FOUND })
  remove(@Param('id', uuidParameter) id: string, @CurrentActor() actor: Actor): Promise<void> {
    return this.removeConsumer.execute(id, actor);
  }
}
