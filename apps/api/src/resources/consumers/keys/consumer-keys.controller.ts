import { PageQueryDto } from '#libs/contracts';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Allow } from '../../../access/allow.decorator.js';
import { ApiKeyCreatedDto, ApiKeyListDto, CreateConsumerKeyDto } from '../../../access/api-key.dto.js';
import { ApiKeysService } from '../../../access/api-keys.service.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../../http/refuses.js';
import { uuidParameter } from '../../../http/uuid.pipe.js';

const NOT_FOUND = 'There is no such consumer.';

/** API keys with which a consumer reads its own notifications. */
@ApiTags('consumers')
@Controller({ path: 'consumers/:id/keys', version: '1' })
export class ConsumerKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Post()
  @Allow('operator')
  @ApiOperation({
    summary: 'Create a key for a consumer; only this response shows it',
    description:
      'The key can read the consumer’s own notifications and nothing else, until the consumer is removed.',
    operationId: 'createConsumerKey',
  })
  @ApiCreatedResponse({ type: ApiKeyCreatedDto })
  @Refuses({ 404: NOT_FOUND, 422: INVALID_CONTENT })
  create(
    @Param('id', uuidParameter) id: string,
    @Body() body: CreateConsumerKeyDto,
    @CurrentActor() actor: Actor,
  ): Promise<ApiKeyCreatedDto> {
    return this.keys.createFor(id, body, actor);
  }

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'List a consumer’s keys, newest first', operationId: 'listConsumerKeys' })
  @ApiOkResponse({ type: ApiKeyListDto })
  @Refuses({ 400: INVALID_PARAMETER, 404: NOT_FOUND })
  list(@Param('id', uuidParameter) id: string, @Query() query: PageQueryDto): Promise<ApiKeyListDto> {
    return this.keys.listOf(id, query);
  }

  @Delete(':keyId')
  @HttpCode(204)
  @Allow('operator')
  @ApiOperation({
    summary: 'Revoke a consumer’s key; every process refuses it within 2 s',
    operationId: 'revokeConsumerKey',
  })
  @ApiNoContentResponse()
  @Refuses({ 404: 'The consumer has no such key.' })
  revoke(
    @Param('id', uuidParameter) id: string,
    @Param('keyId', uuidParameter) keyId: string,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.keys.revokeOf(id, keyId, actor);
  }
}
