import { Body, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { Id, Refuses, Routes } from '../http/routes.js';
import { Allow } from './allow.decorator.js';
import { ApiKeyCreatedDto, ApiKeyListDto, ApiKeysQueryDto, CreateApiKeyDto } from './api-key.dto.js';
import { ApiKeysService } from './api-keys.service.js';
import { CurrentActor, type Actor } from './audit-entry.js';

@Routes({ path: 'api-keys', tag: 'access' })
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /** Create an API key; only this response contains it */
  @Post()
  @Allow('admin')
  createApiKey(@Body() body: CreateApiKeyDto, @CurrentActor() actor: Actor): Promise<ApiKeyCreatedDto> {
    return this.keys.create(body, actor);
  }

  /** List the API keys, newest first; sessions of sign-in links are listed with the links of their consumer */
  @Get()
  @Allow('admin')
  listApiKeys(@Query() query: ApiKeysQueryDto): Promise<ApiKeyListDto> {
    return this.keys.list(query);
  }

  /** Revoke an API key; every process refuses it within 2 s */
  @Delete(':id')
  @HttpCode(204)
  @Allow('admin')
  @Refuses({ 404: 'There is no such key.' })
  revokeApiKey(@Id() id: string, @CurrentActor() actor: Actor): Promise<void> {
    return this.keys.revoke(id, actor);
  }
}
