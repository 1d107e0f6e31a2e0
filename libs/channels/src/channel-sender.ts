import type { ChannelKind } from '#libs/contracts';
import type { Egress } from '#libs/egress';
import { signNotification } from '#libs/signing';
import { alertBody, alertWords, type AlertMessage } from './alert-message.js';
import { emailText } from './formats/email.js';
import { PAGERDUTY_URL, pagerDutyBody, pagerDutySummary } from './formats/pagerduty.js';
import { slackBody } from './formats/slack.js';
import { teamsBody } from './formats/teams.js';
import { webhookBody, webhookSummary } from './formats/webhook.js';
import { announced, type Announcement, type IssueMessage, type Origin } from './issue-message.js';
import { announcedSummary, type IssueSummary } from './issue-summary.js';
import type { Mailer } from './mailer.js';

/** For one request or one mail. */
const TIMEOUT_MS = 10_000;

/** Where a channel's messages go, with its secrets. */
export interface Destination {
  readonly kind: ChannelKind;
  /** Of every kind but `email`; PagerDuty has a default. */
  readonly url?: string | undefined;
  readonly signingSecret?: string | undefined;
  readonly routingKey?: string | undefined;
  /** Mail addresses. */
  readonly recipients: readonly string[];
}

/** The result of sending one message. */
export type SendResult =
  | { readonly isSent: true }
  | {
      readonly isSent: false;
      /** For an operator, without secrets and without text of the receiver. */
      readonly fault: string;
      /** When the receiver wants the next attempt; null: it does not say. */
      readonly retryAfterMs: number | null;
    };

/** Sends messages about issues to channels: HTTP through the egress guard, mail through the configured server. */
export class ChannelSender {
  constructor(
    private readonly egress: Egress,
    /** Null: no mail server is configured. */
    private readonly mailer: Mailer | null,
    private readonly origin: Origin,
  ) {}

  /**
   * Sends messages together, except to PagerDuty, which takes one event for each.
   * @returns a result for each message that was tried; a failure ends the attempts, so that a receiver that does not answer is
   * waited for once
   * @throws LocalFaultError when this process cannot send
   */
  async send(destination: Destination, messages: readonly IssueMessage[]): Promise<SendResult[]> {
    const { origin } = this;
    const { kind } = destination;
    if (kind !== 'pagerduty') {
      const [announcement, webhook] = [announced(messages, origin), webhookBody(messages, origin)];
      const result = await this.announce(kind, destination, announcement, webhook);
      return messages.map(() => result);
    }
    const results: SendResult[] = [];
    for (const message of messages) {
      const result = await this.alert(destination, (key) => pagerDutyBody(message, origin, key));
      results.push(result);
      if (!result.isSent) break;
    }
    return results;
  }

  /**
   * Sends one message about the issues above a channel's limit.
   * @throws LocalFaultError when this process cannot send
   */
  sendSummary(destination: Destination, summary: IssueSummary): Promise<SendResult> {
    const { origin } = this;
    const { kind } = destination;
    return kind === 'pagerduty'
      ? this.alert(destination, (key) => pagerDutySummary(summary, origin, key))
      : this.announce(kind, destination, announcedSummary(summary, origin), webhookSummary(summary, origin));
  }

  /**
   * Sends an alert to a consumer's own people: a mail, or a signed webhook.
   * @throws LocalFaultError when this process cannot send
   */
  sendAlert(
    { kind, url = '', signingSecret = '', recipients }: Destination,
    alert: AlertMessage,
  ): Promise<SendResult> {
    const { origin } = this;
    if (kind === 'email') return this.mail(recipients, alertWords(alert, origin.publicUrl));
    const body = JSON.stringify(alertBody(alert, origin));
    return this.post(url, body, signedBy(signingSecret, url, body));
  }

  private announce(
    kind: Exclude<ChannelKind, 'pagerduty'>,
    { url = '', signingSecret = '', recipients }: Destination,
    announcement: Announcement,
    webhook: object,
  ): Promise<SendResult> {
    switch (kind) {
      case 'webhook': {
        const body = JSON.stringify(webhook);
        return this.post(url, body, signedBy(signingSecret, url, body));
      }
      case 'slack':
        return this.post(url, JSON.stringify(slackBody(announcement)));
      case 'teams':
        return this.post(url, JSON.stringify(teamsBody(announcement)));
      case 'email':
        return this.mail(recipients, emailText(announcement));
    }
  }

  private alert(
    { url = PAGERDUTY_URL, routingKey = '' }: Destination,
    bodyFor: (routingKey: string) => object,
  ): Promise<SendResult> {
    return this.post(url === '' ? PAGERDUTY_URL : url, JSON.stringify(bodyFor(routingKey)));
  }

  private async post(
    url: string,
    body: string,
    headersAt: (sentAtMs: number) => Readonly<Record<string, string>> = () => ({}),
  ): Promise<SendResult> {
    const { outcome, httpStatus, detail, retryAfterMs } = await this.egress.post({
      url,
      body,
      timeoutMs: TIMEOUT_MS,
      buildHeaders: (sentAtMs) => ({ 'content-type': 'application/json', ...headersAt(sentAtMs) }),
    });
    if (outcome === 'acknowledged') return { isSent: true };
    const fault = httpStatus === null ? `${outcome}: ${detail}` : `HTTP ${String(httpStatus)}`;
    return { isSent: false, fault, retryAfterMs };
  }

  private async mail(
    recipients: readonly string[],
    mail: { readonly subject: string; readonly text: string },
  ): Promise<SendResult> {
    if (this.mailer === null)
      return {
        isSent: false,
        fault: 'no mail server is configured: set SMTP_URL and MAIL_FROM',
        retryAfterMs: null,
      };
    const fault = await this.mailer.send(recipients, mail, TIMEOUT_MS);
    return fault === null ? { isSent: true } : { isSent: false, fault, retryAfterMs: null };
  }
}

/** The headers of a signed webhook: signed like a notification (specification, "Authentication", 3), in seconds. */
const signedBy =
  (secret: string, url: string, body: string) =>
  (sentAtMs: number): Readonly<Record<string, string>> => {
    const timestamp = String(Math.floor(sentAtMs / 1_000));
    return { 'x-timestamp': timestamp, 'x-signature': signNotification(secret, { url, body, timestamp }) };
  };
