import { ChannelSender, createMailer, type Origin, type SendResult } from '#libs/channels';
import { CONFIG, type Config } from '#libs/config';
import { ConsumerAlertsRepository, type DueAlert } from '#libs/database';
import { createEgress, LocalFaultError, type Egress } from '#libs/egress';
import { faultText, LOGGER, type Logger } from '#libs/observability';
import { nextMessageAttempt } from '#libs/policy';
import { createChannelVault, readKeyring, UndecryptableError, type ChannelVault } from '#libs/vault';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ScheduledWork } from '../maintenance/scheduled-work.js';
import { alertWords } from './alert-words.js';

const EVERY_MS = 10_000;

/** Sends the alerts that consumers' own people have chosen, with connections of its own. */
@Injectable()
export class ConsumerAlerts implements ScheduledWork, OnApplicationShutdown {
  readonly name = 'consumer_alerts';
  readonly everyMs = EVERY_MS;
  private readonly egress: Egress;
  private readonly sender: ChannelSender;
  private readonly vault: ChannelVault;
  private readonly origin: Origin;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly alerts: ConsumerAlertsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { allow, proxy } = config.egress;
    this.egress = createEgress({ allow, proxy });
    this.origin = { publicUrl: config.publicUrl, environment: config.environment?.name ?? null };
    const mailer = config.mail === null ? null : createMailer(config.mail.smtpUrl, config.mail.from);
    this.sender = new ChannelSender(this.egress, mailer, this.origin);
    this.vault = createChannelVault(readKeyring(config.keyring));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.egress.close();
  }

  async run(): Promise<void> {
    await this.alerts.collect();
    await Promise.all((await this.alerts.due()).map((alert) => this.deliver(alert)));
  }

  private async deliver(alert: DueAlert): Promise<void> {
    const { ids, kind, event, channel_id: channelId } = alert;
    const result = await this.send(alert).catch(failureOf);
    if (result === null) return;
    const line = { channelId, kind, event, alerts: ids.length };
    if (result.isSent) {
      await this.alerts.markSent(ids);
      this.logger.info(line, 'consumer_alert.sent');
      return;
    }
    const { fault, retryAfterMs } = result;
    const next = nextMessageAttempt(alert.attempts + 1, alert.created_at, alert.as_of, retryAfterMs);
    await this.alerts.markFailed(ids, fault, next);
    this.logger.warn({ ...line, fault }, `consumer_alert.${next === null ? 'given_up' : 'failed'}`);
  }

  private async send(alert: DueAlert): Promise<SendResult> {
    const { channel_id, channel_kind: kind, sealed, recipients } = alert;
    const words = alertWords(alert, this.origin.publicUrl);
    if (kind === 'email') return this.sender.sendAlert({ kind, recipients }, words, {});
    const { url, signingSecret } = await this.vault.open(channel_id, sealed);
    return this.sender.sendAlert({ kind, url, signingSecret, recipients }, words, {
      environment: this.origin.environment,
      alertId: alert.ids[0],
      kind: alert.kind,
      event: alert.event,
      at: alert.at.toISOString(),
      since: alert.since?.toISOString() ?? null,
      number: alert.number,
      earlier: alert.ids.length - 1,
      ...words,
    });
  }
}

/** The failure of an attempt that could not be made; null when this process is stopping, and another one sends it. */
function failureOf(error: unknown): Exclude<SendResult, { isSent: true }> | null {
  if (error instanceof LocalFaultError) return null;
  const fault = error instanceof UndecryptableError ? error.message : faultText(error);
  return { isSent: false, fault, retryAfterMs: null };
}
