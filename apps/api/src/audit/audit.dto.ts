import { AUDIT_ACTIONS, OneOf, PageQueryDto, PaginationDto, Text, type AuditAction } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { InstantParameter } from '../http/query-rules.js';

/** Filters of `GET /v1/audit`; each compares exactly. */
export class AuditQueryDto extends PageQueryDto {
  /** The name of an API key; `dispatcher` for what happened by itself. */
  @Text({ min: 1, max: 255, optional: true })
  actor?: string;

  @OneOf(AUDIT_ACTIONS, { optional: true })
  action?: AuditAction;

  /** Callers that are no admin must give one consumer: `consumer:<id>`. */
  @Text({
    min: 1,
    max: 255,
    optional: true,
    schema: { example: 'consumer:0199c2f2-7b5e-7c3a-8f00-000000000000' },
  })
  target?: string;

  /** Done at or after. */
  @InstantParameter()
  from?: string;

  /** Done before. */
  @InstantParameter()
  to?: string;
}

/** Who did what to what, when, from where and why. */
export class AuditEntryDto {
  @ApiProperty({ example: '4711' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  at!: string;

  /** The name of the API key; `dispatcher` for what happened by itself. */
  @ApiProperty()
  actor!: string;

  /** The actor's roles, as granted; null for the dispatcher. */
  @ApiProperty({ type: String, nullable: true, example: 'operator' })
  role!: string | null;

  @ApiProperty({ example: 'consumer.changed' })
  action!: string;

  @ApiProperty({ example: 'consumer:0199c2f2-7b5e-7c3a-8f00-000000000000' })
  target!: string;

  /** What the target is called now, also after it was removed; null for what has no name. */
  @ApiProperty({ type: String, nullable: true, example: 'Acme' })
  targetName!: string | null;

  /** The client's address; null for the dispatcher. */
  @ApiProperty({ type: String, nullable: true })
  address!: string | null;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true })
  details!: Record<string, unknown>;

  /** Of a change: the fields that it changed, as they were. Never a secret. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  before!: Record<string, unknown> | null;

  /** The same fields, as they are since. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  after!: Record<string, unknown> | null;
}

export class AuditListDto {
  @ApiProperty({ type: () => AuditEntryDto, isArray: true })
  entries!: AuditEntryDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}
