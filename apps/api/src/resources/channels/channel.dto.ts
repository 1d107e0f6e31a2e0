import type {
  ChannelKind,
  Instant,
  Integer,
  IssueKind,
  PaginationDto,
  Severity,
  Uuid,
} from '#libs/contracts';
import type { ChannelRow } from '#libs/database';
import { viewOf } from '../../http/view-of.js';
import type { ChannelHoursDto } from './channel-hours.dto.js';

/** Where issues are announced. Its URL and its keys are never shown. */
export class ChannelDto {
  id!: Uuid;
  name!: string;
  kind!: ChannelKind;
  /** The host of the URL; null for `email`. */
  host!: string | null;
  /** The mail addresses; empty for other kinds. */
  recipients!: string[];
  /** Null: issues of all kinds. */
  issueKinds!: IssueKind[] | null;
  /** Only issues of these severities. */
  severities!: Severity[];
  /** Null: issues of all consumers and of the installation. */
  consumerIds!: Uuid[] | null;
  /** Null: at any hour. */
  hours!: ChannelHoursDto | null;
  enabled!: boolean;
  /** Messages that wait for the hours, or for the next attempt. */
  pending!: Integer;
  /** Messages of the last 7 days that were given up after 24 hours of attempts. */
  failed!: Integer;
  lastSentAt!: Instant | null;
  /** Why the newest message that was tried could not be sent; null if it was. */
  lastError!: string | null;
  createdAt!: Instant;
}

export class ChannelCreatedDto extends ChannelDto {
  /** Webhook: the secret of its signatures, shown in this answer only. */
  signingSecret?: string;
}

export class ChannelListDto {
  channels!: ChannelDto[];
  pagination!: PaginationDto;
}

/** The result of a test message. */
export class ChannelTestedDto {
  isSent!: boolean;
  /** Why it was not sent; null if it was. */
  fault!: string | null;
}

/** A channel in the API's form. */
export const channelView = (row: ChannelRow): ChannelDto =>
  viewOf(ChannelDto, row, { hours: row.hours === null ? null : { ...row.hours, days: [...row.hours.days] } });
