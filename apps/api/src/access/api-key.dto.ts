import { ListOf, PageQueryDto, PaginationDto, ROLES, Text, type Role } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { ComingInstant } from '../http/coming-instant.js';
import { KeyName } from './key-name.js';

/** Roles of keys made here; a consumer's key is bound to its consumer and made there. */
export const GRANTED_ROLES = ROLES.filter((role) => role !== 'consumer');

const isGranted = (value: unknown): string | null =>
  GRANTED_ROLES.some((role) => role === value) ? null : `must be one of ${GRANTED_ROLES.join(', ')}`;

/** `POST /v1/api-keys`. */
export class CreateApiKeyDto {
  /** The caller's identity: a producer's keys share a name while one replaces the other. */
  @KeyName()
  name!: string;

  @ListOf(isGranted, { min: 1, max: GRANTED_ROLES.length, items: { type: 'string', enum: GRANTED_ROLES } })
  roles!: Role[];

  /** Absent: it does not expire. */
  @ComingInstant()
  expiresAt?: string;
}

/** `POST /v1/consumers/:id/keys`: the role and the consumer are given by the path. */
export class CreateConsumerKeyDto {
  /** Whose key it is, in words of the operator's. */
  @KeyName()
  name!: string;

  /** Absent: it does not expire. */
  @ComingInstant()
  expiresAt?: string;
}

/** Filters of `GET /v1/api-keys`. */
export class ApiKeysQueryDto extends PageQueryDto {
  /** A part of the name, in capitals or not. */
  @Text({ min: 1, max: 100, optional: true })
  name?: string;
}

/** An API key as it is shown; the key itself is not. */
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

  /** To the minute; null: never used. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastUsedAt!: string | null;
}

export class ApiKeyCreatedDto extends ApiKeyDto {
  /** Shown this once. */
  @ApiProperty({ example: 'pnd_…' })
  key!: string;
}

export class ApiKeyListDto {
  @ApiProperty({ type: () => ApiKeyDto, isArray: true })
  apiKeys!: ApiKeyDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
