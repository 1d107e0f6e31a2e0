import { AUDIT_ACTIONS, OneOf, PageQueryDto, PaginationDto, Text, type AuditAction } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { InstantParameter, IntegerParameter } from '../http/query-rules.js';

/** Filters of `GET /v1/audit`; all but `actor` compare exactly. */
export class AuditQueryDto extends PageQueryDto {
  /** Entries after this id, oldest first: a stream for a SIEM. `0` begins with the first. */
  @IntegerParameter({ min: 0, max: Number.MAX_SAFE_INTEGER })
  after?: string;

  /** A part of the name of an API key or a person, in capitals or not; `dispatcher` for the dispatcher’s own entries. */
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

  /** The name of the API key or person; `dispatcher` for the dispatcher’s own entries. */
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
