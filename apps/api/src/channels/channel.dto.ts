import { CHANNEL_KINDS, ISSUE_KINDS, PaginationDto, type ChannelKind, type IssueKind } from '#libs/contracts';
import type { ChannelRow } from '#libs/database';
import { ApiProperty } from '@nestjs/swagger';
import { ChannelHoursDto } from './channel-hours.dto.js';

/** Where issues are announced. Its URL and its keys are never shown. */
export class ChannelDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: CHANNEL_KINDS })
  kind!: ChannelKind;

  /** The host of the URL; null for `email`. */
  @ApiProperty({ type: String, nullable: true })
  host!: string | null;

  /** The mail addresses; empty for other kinds. */
  @ApiProperty({ type: [String] })
  recipients!: string[];

  /** Null: issues of all kinds. */
  @ApiProperty({ enum: ISSUE_KINDS, isArray: true, nullable: true })
  issueKinds!: IssueKind[] | null;

  /** Null: issues of all consumers and of the installation. */
  @ApiProperty({ type: [String], format: 'uuid', nullable: true })
  consumerIds!: string[] | null;

  /** Null: at any hour. */
  @ApiProperty({ type: () => ChannelHoursDto, nullable: true })
  hours!: ChannelHoursDto | null;

  @ApiProperty()
  enabled!: boolean;

  /** Messages that wait for the hours, or for the next attempt. */
  @ApiProperty({ type: 'integer' })
  pending!: number;

  /** Messages of the last 7 days that were given up after 24 hours of attempts. */
  @ApiProperty({ type: 'integer' })
  failed!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastSentAt!: string | null;

  /** Why the newest message that was tried could not be sent; null if it was. */
  @ApiProperty({ type: String, nullable: true })
  lastError!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

export class ChannelCreatedDto extends ChannelDto {
  /** Webhook: the secret of its signatures, shown in this answer only. */
  @ApiProperty({ required: false })
  signingSecret?: string;
}

export class ChannelListDto {
  @ApiProperty({ type: () => [ChannelDto] })
  channels!: ChannelDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}

/** The result of a test message. */
export class ChannelTestedDto {
  @ApiProperty()
  isSent!: boolean;

  /** Why it was not sent; null if it was. */
  @ApiProperty({ type: String, nullable: true })
  fault!: string | null;
}

/** A channel in the API's form. */
export const channelView = (row: ChannelRow): ChannelDto => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  host: row.host,
  recipients: row.recipients,
  issueKinds: row.issue_kinds,
  consumerIds: row.consumer_ids,
  hours: row.hours === null ? null : { ...row.hours, days: [...row.hours.days] },
  enabled: row.enabled,
  pending: row.pending,
  failed: row.failed,
  lastSentAt: row.last_sent_at?.toISOString() ?? null,
  lastError: row.last_error,
  createdAt: row.created_at.toISOString(),
});
