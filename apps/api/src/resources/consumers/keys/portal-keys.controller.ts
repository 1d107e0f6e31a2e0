import { PageQueryDto } from '#libs/contracts';
import { Body, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CreateOwnKeyDto, type KeyOrSessionDto } from '../../../access/api-key.dto.js';
import { ApiKeysService } from '../../../access/api-keys.service.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { Id, Refuses } from '../../../http/routes.js';
import { OwnConsumer } from '../../../access/scope.js';
import { Portal } from '../../../access/portal-route.decorator.js';
import { PortalKeyCreatedDto, PortalKeyDto, PortalKeyListDto } from './portal-key.dto.js';

/** API keys with which the consumer's programs and people use the routes of the role `consumer`. */
@Portal('keys')
export class PortalKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /** List the own API keys and the sessions of sign-in links, newest first */
  @Get()
  async listPortalKeys(
    @OwnConsumer() consumerId: string,
    @Query() query: PageQueryDto,
  ): Promise<PortalKeyListDto> {
    const { keys, pagination } = await this.keys.listOwn(consumerId, query);
    return { keys: keys.map(portalKeyView), pagination };
  }

  /** Create an own API key; only this response shows it */
  @Post()
  @Refuses({ 409: 'There are 20 valid keys.' })
  async createPortalKey(
    @OwnConsumer() consumerId: string,
    @Body() body: CreateOwnKeyDto,
    @CurrentActor() actor: Actor,
  ): Promise<PortalKeyCreatedDto> {
    const { key, ...made } = await this.keys.createOwn(consumerId, body, actor);
    return { ...portalKeyView({ ...made, isSession: false }), key };
  }

  /** Revoke an own API key; every process refuses it within 2 s */
  @Delete(':id')
  @HttpCode(204)
  revokePortalKey(
    @OwnConsumer() consumerId: string,
    @Id() id: string,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.keys.revokeOf(consumerId, id, actor);
  }
}

const portalKeyView = (key: KeyOrSessionDto): PortalKeyDto => ({
  id: key.id,
  name: key.name,
  createdAt: key.createdAt,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  lastUsedAt: key.lastUsedAt,
  isSession: key.isSession,
});
