import {
  ListOf,
  PageQueryDto,
  ROLES,
  Text,
  type Instant,
  type PaginationDto,
  type Role,
  type Uuid,
} from '#libs/contracts';
import { ComingInstant } from '../http/coming-instant.js';
import { KeyName, OwnKeyName } from './names.js';

/** Roles that `POST /v1/api-keys` can grant. A consumer's key is created at `/v1/consumers/:id/keys`. */
export const GRANTED_ROLES = ROLES.filter((role) => role !== 'consumer');

const isGranted = (value: unknown): string | null =>
  GRANTED_ROLES.some((role) => role === value) ? null : `must be one of ${GRANTED_ROLES.join(', ')}`;

/** Body of `POST /v1/api-keys`. */
export class CreateApiKeyDto {
  /** The caller's identity. During a key rotation, the old and the new key of a producer have the same name. */
  @KeyName()
  name!: string;

  @ListOf(isGranted, { min: 1, max: GRANTED_ROLES.length, items: { type: 'string', enum: GRANTED_ROLES } })
  roles!: Role[];

  /** Absent: it does not expire. */
  @ComingInstant()
  expiresAt?: string;
}

/** Body of `POST /v1/consumers/:id/keys`. The path determines the role and the consumer. */
export class CreateConsumerKeyDto {
  /** A name chosen by the operator, for example the holder of the key. */
  @KeyName()
  name!: string;

  /** Absent: it does not expire. */
  @ComingInstant()
  expiresAt?: string;
}

/** Body of `POST /v1/portal/keys`. */
export class CreateOwnKeyDto {
  /** A name chosen by the consumer's people, for example the program that uses the key. */
  @OwnKeyName()
  name!: string;

  /** Absent: it does not expire. */
  @ComingInstant()
  expiresAt?: string;
}

/** Filters of `GET /v1/api-keys`. */
export class ApiKeysQueryDto extends PageQueryDto {
  /** A part of the name, case-insensitive. */
  @Text({ min: 1, max: 100, optional: true })
  name?: string;
}

/** An API key, without the key itself. */
export class ApiKeyDto {
  id!: Uuid;
  name!: string;
  roles!: Role[];
  consumerId!: Uuid | null;
  createdAt!: Instant;
  expiresAt!: Instant | null;
  revokedAt!: Instant | null;
  /** Last use, accurate to the minute; null: never used. */
  lastUsedAt!: Instant | null;
}

/** A key of a consumer, or a session. */
export class KeyOrSessionDto extends ApiKeyDto {
  /** Whether it is the session of a person who used a sign-in link, not a key. Revoking it ends the session. */
  isSession!: boolean;
}

export class ApiKeyCreatedDto extends ApiKeyDto {
  /**
   * The key itself. Only this response contains it.
   * @example pnd_…
   */
  key!: string;
}

export class ApiKeyListDto {
  apiKeys!: ApiKeyDto[];
  pagination!: PaginationDto;
}
