import { pageOf, paginated, type PageQueryDto } from '#libs/contracts';
import { ApiKeysRepository, type ApiKeyRow } from '#libs/database';
import { Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { ApiKeyCreatedDto, ApiKeyDto, ApiKeyListDto, CreateApiKeyDto } from './api-key.dto.js';
import { hashApiKey, newApiKey } from './api-key.js';
import type { Caller } from './caller.js';

/** Makes, lists and revokes API keys. */
@Injectable()
export class ApiKeysService {
  constructor(private readonly keys: ApiKeysRepository) {}

  async create(body: CreateApiKeyDto, caller: Caller, address: string): Promise<ApiKeyCreatedDto> {
    const id = uuidv7();
    const key = newApiKey();
    const row = await this.keys.insert(
      {
        id,
        name: body.name,
        roles: body.roles,
        keyHash: hashApiKey(key),
        expiresAt: body.expiresAt === undefined ? null : new Date(body.expiresAt),
      },
      {
        actor: caller.name,
        action: 'api-key.created',
        target: `api-key:${id}`,
        address,
        details: { name: body.name, roles: body.roles },
      },
    );
    return { ...viewOf(row), key };
  }

  async list(query: PageQueryDto): Promise<ApiKeyListDto> {
    const page = pageOf(query);
    return paginated('apiKeys', (await this.keys.list(page)).map(viewOf), page);
  }

  async revoke(id: string, caller: Caller, address: string): Promise<void> {
    const revoked = await this.keys.revoke(id, {
      actor: caller.name,
      action: 'api-key.revoked',
      target: `api-key:${id}`,
      address,
      details: {},
    });
    if (!revoked) throw new NotFoundException('There is no such key.');
  }
}

function viewOf(row: ApiKeyRow): ApiKeyDto {
  return {
    id: row.id,
    name: row.name,
    roles: row.roles,
    consumerId: row.consumer_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}
