import type { SendResult } from '#libs/channels';
import { ConsumerAlertsRepository, type DueAlert } from '#libs/database';
import { LOGGER, type Logger } from '#libs/observability';
import { nextMessageAttempt } from '#libs/policy';
import { Inject, Injectable } from '@nestjs/common';
import { ChannelConnections, failureOf } from '../channels/channel-connections.js';
import type { ScheduledWork } from '../maintenance/scheduled-work.js';

const EVERY_MS = 10_000;

/** Sends the alerts that consumers' own people have chosen. */
@Injectable()
export class ConsumerAlerts implements ScheduledWork {
  readonly name = 'consumer_alerts';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly connections: ChannelConnections,
    private readonly alerts: ConsumerAlertsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

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
    const { channel_id, channel_kind: kind, sealed, recipients, ids, ...rest } = alert;
    const { sender, vault } = this.connections;
    const { url, signingSecret } = kind === 'email' ? {} : await vault.open(channel_id, sealed);
    return sender.sendAlert(
      { kind, url, signingSecret, recipients },
      { ...rest, alertId: ids[0] ?? '', consumerName: alert.consumer_name, earlier: ids.length - 1 },
    );
  }
}
