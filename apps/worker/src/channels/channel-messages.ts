import type { Destination, IssueMessage, IssueSummary, SendResult } from '#libs/channels';
import type { ChannelKind } from '#libs/contracts';
import {
  ChannelMessagesRepository,
  ChannelSummariesRepository,
  type DueMessage,
  type DueSummary,
} from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { isWithinHours, mailAddressOf, nextMessageAttempt, withinLimit } from '#libs/policy';
import { Inject, Injectable } from '@nestjs/common';
import type { ScheduledWork } from '../maintenance/scheduled-work.js';
import { ChannelConnections, failureOf } from './channel-connections.js';
import { contactMail } from './contact-mail.js';

const EVERY_MS = 2_000;
const MAIL_TIMEOUT_MS = 10_000;

/**
 * Sends the messages about issues to their channels. It is recurring work: a channel that does not answer delays neither a
 * delivery nor another channel.
 */
@Injectable()
export class ChannelMessages implements ScheduledWork {
  readonly name = 'channel_messages';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly connections: ChannelConnections,
    private readonly messages: ChannelMessagesRepository,
    private readonly summaries: ChannelSummariesRepository,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  async run(): Promise<void> {
    await this.messages.supersede();
    const isOpen = ({ hours, as_of }: Pick<DueMessage, 'hours' | 'as_of'>): boolean =>
      hours === null || isWithinHours(hours, as_of);
    const [due, summaries] = [await this.messages.due(), await this.summaries.due()];
    const byChannel = Map.groupBy(due.filter(isOpen), ({ channel_id }) => channel_id);
    // Each channel at the same time as the others, so that one that hangs delays no other in this run.
    await Promise.all([
      ...[...byChannel].map(async ([channelId, of]) => this.sendAll(await this.withinLimit(channelId, of))),
      ...summaries.filter(isOpen).map((summary) => this.sendSummary(summary)),
    ]);
  }

  /** The messages that the channel's limit permits; openings above it are counted for its next summary. */
  private async withinLimit(
    channelId: string | null,
    messages: readonly DueMessage[],
  ): Promise<readonly DueMessage[]> {
    // One that was tried before has its place already.
    const openings = messages.filter(({ event, attempts }) => event === 'opened' && attempts === 0);
    // A contact needs no limit: a circuit opens at most once a minute.
    if (channelId === null || openings.length === 0) return messages;
    const permitted = withinLimit(openings, await this.summaries.announced(channelId));
    const above = openings.filter((opening) => !permitted.has(opening));
    if (above.length === 0) return messages;
    await this.summaries.count(
      channelId,
      above.map(({ id }) => id),
    );
    for (const message of above) this.report(message, 'counted');
    const issues = new Set(above.map(({ issue_id }) => issue_id));
    return messages.filter(({ issue_id }) => !issues.has(issue_id));
  }

  /** Sends the messages of one channel, and records the results. */
  private async sendAll(messages: readonly DueMessage[]): Promise<void> {
    const results = await this.send(messages).catch((error: unknown): SendResult[] => {
      const failure = failureOf(error);
      return failure === null ? [] : messages.map(() => failure);
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
      const next = nextMessageAttempt(message.attempts + 1, message.created_at, message.as_of, retryAfterMs);
      await this.messages.markFailed(message.id, fault, next);
      this.report(message, next === null ? 'given_up' : 'failed', fault);
    }
  }

  private async send(messages: readonly DueMessage[]): Promise<SendResult[]> {
    const [first] = messages;
    if (first === undefined) return [];
    const { channel_id, channel_kind, sealed, recipients } = first;
    if (channel_id === null || channel_kind === null) return this.mailContacts(messages);
    const channel = { channel_id, channel_kind, sealed: sealed ?? '', recipients: recipients ?? [] };
    return this.connections.sender.send(await this.destinationOf(channel), messages.map(messageOf));
  }

  /** Sends a channel's summary of what was above its limit, and records the result. */
  private async sendSummary(summary: DueSummary): Promise<void> {
    const { ids, channel_id: channelId, channel_kind: kind, attempts, created_at, as_of } = summary;
    const line = { channelId, issues: ids.length };
    const result = await this.destinationOf(summary)
      .then((destination) => this.connections.sender.sendSummary(destination, summaryOf(summary)))
      .catch(failureOf);
    if (result === null) return;
    if (result.isSent) {
      await this.summaries.markSent(ids);
      this.metrics.channelMessages.inc({ kind, result: 'sent' });
      this.logger.info(line, 'channel_summary.sent');
      return;
    }
    const { fault, retryAfterMs } = result;
    const next = nextMessageAttempt(attempts + 1, created_at, as_of, retryAfterMs);
    await this.summaries.markFailed(ids, fault, next);
    const outcome = next === null ? 'given_up' : 'failed';
    this.metrics.channelMessages.inc({ kind, result: outcome });
    this.logger.warn({ ...line, fault }, `channel_summary.${outcome}`);
  }

  private async destinationOf(channel: {
    readonly channel_id: string;
    readonly channel_kind: ChannelKind;
    readonly sealed: string;
    readonly recipients: readonly string[];
  }): Promise<Destination> {
    const { channel_id, channel_kind: kind, sealed, recipients } = channel;
    const { url, signingSecret, routingKey } = await this.connections.vault.open(channel_id, sealed);
    return { kind, url, signingSecret, routingKey, recipients };
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
    const { mailer } = this.connections;
    if (mailer === null) return 'no mail server is configured: set SMTP_URL and MAIL_FROM';
    return mailer.send([address], contactMail(message), MAIL_TIMEOUT_MS);
  }

  private report(
    message: DueMessage,
    result: 'sent' | 'failed' | 'given_up' | 'counted',
    fault?: string,
  ): void {
    const { channel_id: channelId, issue_id: issueId, event, channel_kind } = message;
    this.metrics.channelMessages.inc({ kind: channel_kind ?? 'contact', result });
    const line = { channelId, issueId, event, ...(fault === undefined ? {} : { fault }) };
    if (result === 'sent' || result === 'counted') this.logger.info(line, `channel_message.${result}`);
    else this.logger.warn(line, `channel_message.${result}`);
  }
}

const summaryOf = ({ channel_id, kinds, unresolved, since }: DueSummary): IssueSummary => ({
  channelId: channel_id,
  counts: new Map([...Map.groupBy(kinds, (kind) => kind)].map(([kind, of]) => [kind, of.length])),
  unresolved,
  since,
});

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
