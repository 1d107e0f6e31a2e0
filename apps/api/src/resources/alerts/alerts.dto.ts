import { ALERT_KINDS, ListOf, Text, type AlertKind, type Instant } from '#libs/contracts';
import type { ChannelTestedDto } from '../channels/channel.dto.js';
import { isMailAddress, isOneOf } from '../channels/channel-items.js';

/** What has come of the alerts by one way. */
export class AlertWayDto {
  /** When an alert was last accepted; null: none yet. */
  lastSentAt!: Instant | null;
  /** Why the newest alert was not accepted: `HTTP 500`, an outcome, `mail` (the mail server) or `bank`; null: it was, or there was none yet. */
  fault!: string | null;
}

/** The result of a test message by each way; null: there is no such way. `fault` is as in the alerts. */
export class AlertsTestedDto {
  /** Accepted by the bank’s mail server; that it arrives, only the receiver sees. */
  mail!: ChannelTestedDto | null;
  webhook!: ChannelTestedDto | null;
}

/** Which alerts the own people get, and where. */
export class AlertsDto {
  /** Empty: none. */
  kinds!: AlertKind[];
  /** The mail addresses. */
  recipients!: string[];
  /** The host of the webhook’s URL, which is never shown; null: there is no webhook. */
  host!: string | null;
  /** Null: there are no mail addresses. */
  mail!: AlertWayDto | null;
  /** Null: there is no webhook. */
  webhook!: AlertWayDto | null;
}

export class AlertsChosenDto extends AlertsDto {
  /** The secret of a new webhook’s signatures, shown in this answer only. */
  signingSecret?: string;
}

/** Body of `PUT /v1/portal/alerts`. */
export class ChooseAlertsDto {
  /**
   * `endpoint_down`: when your server does not accept notifications, and when it does again. `credentials_change`: when there
   * is a new version of the credentials, and 24 hours before it is used. `replay_done`: when your replay has ended.
   */
  @ListOf(isOneOf(ALERT_KINDS), {
    min: 0,
    max: ALERT_KINDS.length,
    items: { type: 'string', enum: [...ALERT_KINDS] },
  })
  kinds!: AlertKind[];

  /** Mail addresses that get the alerts. */
  @ListOf(
    isMailAddress,
    { min: 0, max: 5, items: { type: 'string', format: 'email' } },
    { schema: { example: ['treasury@acme.example'] } },
  )
  recipients!: string[];

  /** A new webhook, with a new signing secret; null: no webhook; absent: it stays as it is. */
  @Text({ min: 1, max: 2_048, optional: true, nullable: true, schema: { format: 'uri' } })
  url?: string | null;
}
