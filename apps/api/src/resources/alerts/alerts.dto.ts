import { ALERT_KINDS, ListOf, Text, type AlertKind } from '#libs/contracts';
import { isMailAddress, isOneOf } from '../channels/channel-items.js';

/** Which alerts the own people get, and where. */
export class AlertsDto {
  /** Empty: none. */
  kinds!: AlertKind[];
  /** The mail addresses. */
  recipients!: string[];
  /** The host of the webhook’s URL, which is never shown; null: there is no webhook. */
  host!: string | null;
  /** Why the webhook did not accept the newest alert; null: it did, or there was none yet. */
  webhookFault!: string | null;
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
