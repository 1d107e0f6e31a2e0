import {
  instantOf,
  pageOf,
  paginated,
  type PageQueryDto,
  type PaginationDto,
  type Role,
} from '#libs/contracts';
import { ApiKeysRepository, ConsumersRepository, type ApiKeyRow } from '#libs/database';
import { ConflictException, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import {
  type ApiKeyCreatedDto,
  ApiKeyDto,
  type ApiKeyListDto,
  type ApiKeysQueryDto,
  type CreateApiKeyDto,
  type CreateConsumerKeyDto,
  KeyOrSessionDto,
} from './api-key.dto.js';
import { hashApiKey, newApiKey } from './api-key.js';
import { auditEntry, type Actor } from './audit-entry.js';
import { found } from '../http/found.js';
import { viewOf } from '../http/view-of.js';

/** Enough for the programs of a consumer, and to exchange each key without a gap. */
const MOST_OWN_KEYS = 20;

/** Creates, lists and revokes API keys. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly consumers: ConsumersRepository,
  ) {}

  create(body: CreateApiKeyDto, actor: Actor): Promise<ApiKeyCreatedDto> {
    return this.make({ ...body, consumerId: null }, actor);
  }

  /** Creates a key that is bound to a consumer. The target of its audit entry is the consumer. */
  async createFor(consumerId: string, body: CreateConsumerKeyDto, actor: Actor): Promise<ApiKeyCreatedDto> {
    found(await this.consumers.find(consumerId), 'consumer');
    return this.make({ ...body, roles: ['consumer'], consumerId }, actor);
  }

  /**
   * Creates a key for a consumer's own people, who may have `MOST_OWN_KEYS` valid ones.
   * @throws ConflictException when they have as many
   */
  async createOwn(consumerId: string, body: CreateConsumerKeyDto, actor: Actor): Promise<ApiKeyCreatedDto> {
    const { key, row, entry } = newKeyOf({ ...body, roles: ['consumer'], consumerId }, actor);
    const made = await this.keys.insertWithin(MOST_OWN_KEYS, row, entry);
    if (made === undefined)
      throw new ConflictException(`There are ${String(MOST_OWN_KEYS)} valid keys. Revoke one first.`);
    return { ...keyView(made), key };
  }

  async list({ name, ...query }: ApiKeysQueryDto): Promise<ApiKeyListDto> {
    const page = pageOf(query);
    const rows = await this.keys.list(name === undefined ? {} : { name }, page);
    return paginated('apiKeys', rows.map(keyView), page);
  }

  async listOf(consumerId: string, query: PageQueryDto): Promise<ApiKeyListDto> {
    found(await this.consumers.find(consumerId), 'consumer');
    const page = pageOf(query);
    return paginated('apiKeys', (await this.keys.list({ consumerId }, page)).map(keyView), page);
  }

  /** The keys of a consumer and the sessions of its sign-in links, for its own people. */
  async listOwn(
    consumerId: string,
    query: PageQueryDto,
  ): Promise<{ keys: KeyOrSessionDto[]; pagination: PaginationDto }> {
    const page = pageOf(query);
    const rows = await this.keys.list({ consumerId, sessions: true }, page);
    const keys = rows.map((row) => viewOf(KeyOrSessionDto, row, { isSession: row.sign_in_link_id !== null }));
    return paginated('keys', keys, page);
  }

  revoke(id: string, actor: Actor): Promise<void> {
    return this.end({ id }, actor);
  }

  /** Revokes a key if it is bound to this consumer. @throws NotFoundException otherwise */
  revokeOf(consumerId: string, id: string, actor: Actor): Promise<void> {
    return this.end({ id, consumerId }, actor);
  }

  /** Revokes a key. The target of the audit entry is the consumer, if the key is bound to one. */
  private async end(key: { id: string; consumerId?: string }, actor: Actor): Promise<void> {
    found(
      await this.keys.revoke(key, ({ id, name, consumer_id }) =>
        auditEntry(actor, {
          action: 'api-key.revoked',
          target: targetOf(id, consumer_id),
          details: { apiKeyId: id, name },
        }),
      ),
      'key',
    );
  }

  private async make(
    given: { name: string; roles: Role[]; expiresAt?: string; consumerId: string | null },
    actor: Actor,
  ): Promise<ApiKeyCreatedDto> {
    const { key, row, entry } = newKeyOf(given, actor);
    return { ...keyView(await this.keys.insert(row, entry)), key };
  }
}

/** A key that is made now, its row and its audit entry. */
function newKeyOf<ConsumerId extends string | null>(
  given: { name: string; roles: Role[]; expiresAt?: string; consumerId: ConsumerId },
  actor: Actor,
) {
  const { name, roles, consumerId, expiresAt } = given;
  const id = uuidv7();
  const key = newApiKey();
  return {
    key,
    row: {
      id,
      name,
      roles,
      keyHash: hashApiKey(key),
      consumerId,
      expiresAt: expiresAt === undefined ? null : instantOf(expiresAt),
    },
    entry: auditEntry(actor, {
      action: 'api-key.created',
      target: targetOf(id, consumerId),
      details: { apiKeyId: id, name, roles },
    }),
  };
}

const targetOf = (id: string, consumerId: string | null): string =>
  consumerId === null ? `api-key:${id}` : `consumer:${consumerId}`;

const keyView = (row: ApiKeyRow): ApiKeyDto => viewOf(ApiKeyDto, row, {});
