import { ChannelSender, createMailer, type IssueMessage, type Mailer, type SendResult } from '#libs/channels';
import { CONFIG, type Config } from '#libs/config';
import { ChannelMessagesRepository, type DueMessage } from '#libs/database';
import { createEgress, LocalFaultError, type Egress } from '#libs/egress';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { isWithinHours, mailAddressOf, nextMessageAttempt } from '#libs/policy';
import { createChannelVault, readKeyring, UndecryptableError, type ChannelVault } from '#libs/vault';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ScheduledWork } from '../maintenance/scheduled-work.js';
import { contactMail } from './contact-mail.js';

const EVERY_MS = 2_000;
const MAIL_TIMEOUT_MS = 10_000;

/**
 * Sends the messages about issues to their channels. It is recurring work with connections of its own: a channel that does
 * not answer delays neither a delivery nor another channel.
 */
@Injectable()
export class ChannelMessages implements ScheduledWork, OnApplicationShutdown {
  readonly name = 'channel_messages';
  readonly everyMs = EVERY_MS;
  private readonly egress: Egress;
  private readonly mailer: Mailer | null;
  private readonly sender: ChannelSender;
  private readonly vault: ChannelVault;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly messages: ChannelMessagesRepository,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {
    const { allow, proxy } = config.egress;
    this.egress = createEgress({ allow, proxy });
    this.mailer = config.mail === null ? null : createMailer(config.mail.smtpUrl, config.mail.from);
    const origin = { publicUrl: config.publicUrl, environment: config.environment?.name ?? null };
    this.sender = new ChannelSender(this.egress, this.mailer, origin);
    this.vault = createChannelVault(readKeyring(config.keyring));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.egress.close();
  }

  async run(): Promise<void> {
    await this.messages.supersede();
    const now = new Date();
    const due = (await this.messages.due()).filter(
      ({ hours }) => hours === null || isWithinHours(hours, now),
    );
    // Each channel by itself, so that one that hangs delays no other in this run.
    await Promise.all(
      [...Map.groupBy(due, ({ channel_id }) => channel_id).values()].map((of) => this.sendAll(of)),
    );
  }

  /** Sends the messages of one channel, and records the results. */
  private async sendAll(messages: readonly DueMessage[]): Promise<void> {
    const results = await this.send(messages).catch((error: unknown): SendResult[] => {
      // This process is stopping: another one sends them.
      if (error instanceof LocalFaultError) return [];
      const fault = error instanceof UndecryptableError ? error.message : faultText(error);
      return messages.map(() => ({ isSent: false, fault, retryAfterMs: null }));
    });
    const sent = messages.filter((_message, place) => results[place]?.isSent === true);
    if (sent.length > 0) {
      await this.messages.markSent(sent.map(({ id }) => id));
      for (const message of sent) this.report(message, 'sent');
    }
    for (const [place, message] of messages.entries()) {
      const result = results[place];
      if (result === undefined || result.isSent) continue;
      const { fault, retryAfterMs } = result;
      const next = nextMessageAttempt(message.attempts + 1, message.created_at, new Date(), retryAfterMs);
      await this.messages.markFailed(message.id, fault, next);
      this.report(message, next === null ? 'given_up' : 'failed', fault);
    }
  }

  private async send(messages: readonly DueMessage[]): Promise<SendResult[]> {
    const [first] = messages;
    if (first === undefined) return [];
    const { channel_id, channel_kind, sealed, recipients } = first;
    if (channel_id === null || channel_kind === null) return this.mailContacts(messages);
    const { url, signingSecret, routingKey } = await this.vault.open(channel_id, sealed ?? '');
    const destination = { kind: channel_kind, url, signingSecret, routingKey, recipients: recipients ?? [] };
    return this.sender.send(destination, messages.map(messageOf));
  }

  /** One mail for each message: their contacts are different. A failure ends the attempts of this run. */
  private async mailContacts(messages: readonly DueMessage[]): Promise<SendResult[]> {
    const results: SendResult[] = [];
    for (const message of messages) {
      const fault = await this.mailContact(message);
      if (fault !== null) return [...results, { isSent: false, fault, retryAfterMs: null }];
      results.push({ isSent: true });
    }
    return results;
  }

  /** @returns null, or why the mail was not sent */
  private async mailContact(message: DueMessage): Promise<string | null> {
    const address = mailAddressOf(message.contact);
    if (address === null) return 'the contact has no mail address any more';
    if (this.mailer === null) return 'no mail server is configured: set SMTP_URL and MAIL_FROM';
    return this.mailer.send([address], contactMail(message), MAIL_TIMEOUT_MS);
  }

  private report(message: DueMessage, result: 'sent' | 'failed' | 'given_up', fault?: string): void {
    const { channel_id: channelId, issue_id: issueId, event, channel_kind } = message;
    this.metrics.channelMessages.inc({ kind: channel_kind ?? 'contact', result });
    const line = { channelId, issueId, event, ...(fault === undefined ? {} : { fault }) };
    if (result === 'sent') this.logger.info(line, 'channel_message.sent');
    else this.logger.warn(line, `channel_message.${result}`);
  }
}

const messageOf = (row: DueMessage): IssueMessage => ({
  event: row.event,
  issueId: row.issue_id,
  kind: row.kind,
  consumerId: row.consumer_id,
  consumerName: row.consumer_name,
  contact: row.contact,
  summary: row.summary,
  advice: row.advice,
  openedAt: row.opened_at,
  acknowledgedBy: row.acknowledged_by,
  note: row.note,
  resolvedAt: row.resolved_at,
  resolvedBy: row.resolved_by,
});
