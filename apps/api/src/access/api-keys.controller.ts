import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { PROBLEM_RESPONSE } from '../http/problem-response.js';
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
  @ApiOperation({ summary: 'Make an API key; it is shown in this one answer', operationId: 'createApiKey' })
  @ApiCreatedResponse({ type: ApiKeyCreatedDto })
  @ApiUnprocessableEntityResponse(PROBLEM_RESPONSE('The content breaks a rule; `errors` names every field.'))
  create(@Body() body: CreateApiKeyDto, @CurrentActor() actor: Actor): Promise<ApiKeyCreatedDto> {
    return this.keys.create(body, actor);
  }

  @Get()
  @Allow('admin')
  @ApiOperation({ summary: 'List the API keys, newest first', operationId: 'listApiKeys' })
  @ApiOkResponse({ type: ApiKeyListDto })
  @ApiBadRequestResponse(PROBLEM_RESPONSE('A parameter is wrong.'))
  list(@Query() query: ApiKeysQueryDto): Promise<ApiKeyListDto> {
    return this.keys.list(query);
  }

  @Delete(':id')
  @HttpCode(204)
  @Allow('admin')
  @ApiOperation({
    summary: 'Revoke an API key; within 2 s no process takes it any more',
    operationId: 'revokeApiKey',
  })
  @ApiNoContentResponse()
  @ApiNotFoundResponse(PROBLEM_RESPONSE('There is no such key.'))
  revoke(@Param('id', uuidParameter) id: string, @CurrentActor() actor: Actor): Promise<void> {
    return this.keys.revoke(id, actor);
  }
}
