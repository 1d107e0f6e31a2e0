import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../http/refuses.js';
import { uuidParameter } from '../http/uuid.pipe.js';
import { Allow } from './allow.decorator.js';
import { ApiKeyCreatedDto, ApiKeyListDto, ApiKeysQueryDto, CreateApiKeyDto } from './api-key.dto.js';
import { ApiKeysService } from './api-keys.service.js';
import { CurrentActor, type Actor } from './audit-entry.js';

@ApiTags('access')
@Controller({ path: 'api-keys', version: '1' })
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Post()
  @Allow('admin')
  @ApiOperation({ summary: 'Create an API key; only this response contains it', operationId: 'createApiKey' })
  @ApiCreatedResponse({ type: ApiKeyCreatedDto })
  @Refuses({ 422: INVALID_CONTENT })
  create(@Body() body: CreateApiKeyDto, @CurrentActor() actor: Actor): Promise<ApiKeyCreatedDto> {
    return this.keys.create(body, actor);
  }

  @Get()
  @Allow('admin')
  @ApiOperation({ summary: 'List the API keys, newest first', operationId: 'listApiKeys' })
  @ApiOkResponse({ type: ApiKeyListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  list(@Query() query: ApiKeysQueryDto): Promise<ApiKeyListDto> {
    return this.keys.list(query);
  }

  @Delete(':id')
  @HttpCode(204)
  @Allow('admin')
  @ApiOperation({
    summary: 'Revoke an API key; every process refuses it within 2 s',
    operationId: 'revokeApiKey',
  })
  @ApiNoContentResponse()
  @Refuses({ 404: 'There is no such key.' })
  revoke(@Param('id', uuidParameter) id: string, @CurrentActor() actor: Actor): Promise<void> {
    return this.keys.revoke(id, actor);
  }
}
