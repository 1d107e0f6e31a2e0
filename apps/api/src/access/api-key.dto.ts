import {
  ListOf,
  PaginationDto,
  ROLES,
  Text,
  type Role,
  Field,
  INSTANT_PATTERN,
  parseInstant,
} from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { FIRST_KEY_NAME } from './api-key.js';

/** Roles of keys made here; a consumer's key is bound to its consumer and made there. */
export const GRANTED_ROLES = ROLES.filter((role) => role !== 'consumer');

const isGranted = (value: unknown): string | null =>
  GRANTED_ROLES.some((role) => role === value) ? null : `must be one of ${GRANTED_ROLES.join(', ')}`;

/** `POST /v1/api-keys`. */
export class CreateApiKeyDto {
  /** The caller's identity: a producer's keys share a name while one replaces the other. */
  @Text({
    min: 1,
    max: 100,
    pattern: new RegExp(`^(?!${FIRST_KEY_NAME}$)[\\w .:@/-]+$`),
    patternInWords: `must be letters, digits, spaces and . : @ / _ -, and not "${FIRST_KEY_NAME}"`,
    schema: { example: 'payments-hub' },
  })
  name!: string;

  @ListOf(isGranted, { min: 1, max: GRANTED_ROLES.length, items: { type: 'string', enum: GRANTED_ROLES } })
  roles!: Role[];

  /** Absent: it does not expire. */
  @Field(
    (value) =>
      typeof value === 'string' && (parseInstant(value)?.getTime() ?? 0) > Date.now()
        ? null
        : 'must be an ISO 8601 date and time with an offset, in the future',
    { type: 'string', format: 'date-time', pattern: INSTANT_PATTERN },
    { optional: true },
  )
  expiresAt?: string;
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
