import { PageQueryDto } from '#libs/contracts';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { CreateOwnKeyDto, type ApiKeyDto } from '../../../access/api-key.dto.js';
import { ApiKeysService } from '../../../access/api-keys.service.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../../http/refuses.js';
import { uuidParameter } from '../../../http/uuid.pipe.js';
import { OwnConsumer } from '../../../access/portal/own-consumer.decorator.js';
import { Portal } from '../../../access/portal/portal-route.decorator.js';
import { PortalKeyCreatedDto, PortalKeyDto, PortalKeyListDto } from './portal-key.dto.js';

/** API keys with which the consumer's programs and people use the routes of the role `consumer`. */
@Portal()
@Controller({ path: 'portal/keys', version: '1' })
export class PortalKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @ApiOperation({ summary: 'List the own API keys, newest first', operationId: 'listPortalKeys' })
  @ApiOkResponse({ type: PortalKeyListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  async list(@OwnConsumer() consumerId: string, @Query() query: PageQueryDto): Promise<PortalKeyListDto> {
    const { apiKeys, pagination } = await this.keys.listOf(consumerId, query);
    return { keys: apiKeys.map(portalKeyView), pagination };
  }

  @Post()
  @ApiOperation({
    summary: 'Create an own API key; only this response shows it',
    operationId: 'createPortalKey',
  })
  @ApiCreatedResponse({ type: PortalKeyCreatedDto })
  @Refuses({ 409: 'There are 20 valid keys.', 422: INVALID_CONTENT })
  async create(
    @OwnConsumer() consumerId: string,
    @Body() body: CreateOwnKeyDto,
    @CurrentActor() actor: Actor,
  ): Promise<PortalKeyCreatedDto> {
    const { key, ...made } = await this.keys.createOwn(consumerId, body, actor);
    return { ...portalKeyView(made), key };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Revoke an own API key; every process refuses it within 2 s',
    operationId: 'revokePortalKey',
  })
  @ApiNoContentResponse()
  @Refuses({ 404: 'There is no such key.' })
  revoke(
    @OwnConsumer() consumerId: string,
    @Param('id', uuidParameter) id: string,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.keys.revokeOf(consumerId, id, actor);
  }
}

const portalKeyView = (key: ApiKeyDto): PortalKeyDto => ({
  id: key.id,
  name: key.name,
  createdAt: key.createdAt,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  lastUsedAt: key.lastUsedAt,
  isSession: key.isSession,
});
