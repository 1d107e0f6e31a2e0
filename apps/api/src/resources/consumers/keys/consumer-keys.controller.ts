import { PageQueryDto } from '#libs/contracts';
import { Body, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { Allow } from '../../../access/allow.decorator.js';
import { ApiKeyCreatedDto, ApiKeyListDto, CreateConsumerKeyDto } from '../../../access/api-key.dto.js';
import { ApiKeysService } from '../../../access/api-keys.service.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { Id, Refuses, Routes } from '../../../http/routes.js';

/** API keys with which a consumer reads its own notifications. */
@Routes({ path: 'consumers/:id/keys', tag: 'consumers' })
export class ConsumerKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /**
   * Create a key for a consumer; only this response shows it
   * @remarks The key can read the consumer’s own notifications and nothing else, until the consumer is removed.
   */
  @Post()
  @Allow('operator')
  createConsumerKey(
    @Id() id: string,
    @Body() body: CreateConsumerKeyDto,
    @CurrentActor() actor: Actor,
  ): Promise<ApiKeyCreatedDto> {
    return this.keys.createFor(id, body, actor);
  }

  /** List a consumer’s keys, newest first */
  @Get()
  @Allow('viewer')
  listConsumerKeys(@Id() id: string, @Query() query: PageQueryDto): Promise<ApiKeyListDto> {
    return this.keys.listOf(id, query);
  }

  /** Revoke a consumer’s key; every process refuses it within 2 s */
  @Delete(':keyId')
  @HttpCode(204)
  @Allow('operator')
  @Refuses({ 404: 'The consumer has no such key.' })
  revokeConsumerKey(
    @Id() id: string,
    @Id('keyId') keyId: string,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.keys.revokeOf(id, keyId, actor);
  }
}
