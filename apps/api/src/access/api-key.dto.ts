import { ListOf, PageQueryDto, PaginationDto, ROLES, Text, type Role } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
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
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: ROLES, isArray: true })
  roles!: Role[];

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  consumerId!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revokedAt!: string | null;

  /** Last use, accurate to the minute; null: never used. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastUsedAt!: string | null;

  /** Whether it is the session of a person who used a sign-in link, not a key. */
  @ApiProperty()
  isSession!: boolean;
}

export class ApiKeyCreatedDto extends ApiKeyDto {
  /** The key itself. Only this response contains it. */
  @ApiProperty({ example: 'pnd_…' })
  key!: string;
}

export class ApiKeyListDto {
  @ApiProperty({ type: () => ApiKeyDto, isArray: true })
  apiKeys!: ApiKeyDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
