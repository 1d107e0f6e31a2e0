import type { ChannelKind } from '#libs/contracts';
import type { Egress } from '#libs/egress';
import { signNotification } from '#libs/signing';
import { emailSummary, emailText } from './formats/email.js';
import { PAGERDUTY_URL, pagerDutyBody, pagerDutySummary } from './formats/pagerduty.js';
import { slackBody, slackSummary } from './formats/slack.js';
import { teamsBody, teamsSummary } from './formats/teams.js';
import { webhookBody, webhookSummary } from './formats/webhook.js';
import type { IssueMessage, Origin } from './issue-message.js';
import type { IssueSummary } from './issue-summary.js';
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
    const { kind, url = '', signingSecret = '', routingKey = '', recipients } = destination;
    const all = (result: SendResult): SendResult[] => messages.map(() => result);
    switch (kind) {
      case 'webhook': {
        const body = JSON.stringify(webhookBody(messages, this.origin));
        return all(await this.post(url, body, signedBy(signingSecret, url, body)));
      }
      case 'slack':
        return all(await this.post(url, JSON.stringify(slackBody(messages, this.origin))));
      case 'teams':
        return all(await this.post(url, JSON.stringify(teamsBody(messages, this.origin))));
      case 'pagerduty': {
        const results: SendResult[] = [];
        for (const message of messages) {
          const body = JSON.stringify(pagerDutyBody(message, this.origin, routingKey));
          const result = await this.post(url === '' ? PAGERDUTY_URL : url, body);
          results.push(result);
          if (!result.isSent) break;
        }
        return results;
      }
      case 'email':
        return all(await this.mail(recipients, emailText(messages, this.origin)));
    }
  }

  /**
   * Sends one message about the issues above a channel's limit.
   * @throws LocalFaultError when this process cannot send
   */
  sendSummary(destination: Destination, summary: IssueSummary): Promise<SendResult> {
    const { kind, url = '', signingSecret = '', routingKey = '', recipients } = destination;
    switch (kind) {
      case 'webhook': {
        const body = JSON.stringify(webhookSummary(summary, this.origin));
        return this.post(url, body, signedBy(signingSecret, url, body));
      }
      case 'slack':
        return this.post(url, JSON.stringify(slackSummary(summary, this.origin)));
      case 'teams':
        return this.post(url, JSON.stringify(teamsSummary(summary, this.origin)));
      case 'pagerduty': {
        const body = JSON.stringify(pagerDutySummary(summary, this.origin, routingKey));
        return this.post(url === '' ? PAGERDUTY_URL : url, body);
      }
      case 'email':
        return this.mail(recipients, emailSummary(summary, this.origin));
    }
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
