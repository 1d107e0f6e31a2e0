import { CONFIG, type Config } from '#libs/config';
import { OUTCOMES, type FieldFault } from '#libs/contracts';
import {
  ConsumerAlertsRepository,
  Database,
  recordAudit,
  type AlertChannel,
  type AlertChoice,
} from '#libs/database';
import { generateSigningSecret } from '#libs/vault';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { InvalidContentError } from '../../http/invalid-input.js';
import { ChannelConnections } from '../channels/channel-connections.js';
import type { ChannelTestedDto } from '../channels/channel.dto.js';
import { markedId } from '../consumers/diagnosis/sample-change.js';
import { canonicalUrl } from '../consumers/settings-rules.js';
import type {
  AlertsChosenDto,
  AlertsDto,
  AlertsTestedDto,
  AlertWayDto,
  ChooseAlertsDto,
} from './alerts.dto.js';

/** The alerts that a consumer's own people choose. */
@Injectable()
export class AlertsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly connections: ChannelConnections,
    private readonly db: Database,
    private readonly alerts: ConsumerAlertsRepository,
  ) {}

  async read(consumerId: string): Promise<AlertsDto> {
    const channels = await this.alerts.channelsOf(consumerId);
    const webhook = channels.find(({ kind }) => kind === 'webhook');
    return {
      kinds: channels[0]?.alert_kinds ?? [],
      recipients: channels.flatMap(({ recipients }) => recipients),
      host: webhook?.host ?? null,
      mail: wayOf(channels.find(({ kind }) => kind === 'email')),
      webhook: wayOf(webhook),
    };
  }

  /** @throws InvalidContentError; NotFoundException for a removed consumer */
  async choose(
    consumerId: string,
    { kinds, recipients, url }: ChooseAlertsDto,
    actor: Actor,
  ): Promise<AlertsChosenDto> {
    const faults: FieldFault[] = [];
    if (recipients.length > 0 && this.config.mail === null)
      faults.push({ field: 'recipients', message: 'must be empty: the bank sends no mails. Use a webhook' });
    const canonical = url == null ? url : canonicalUrl(url, this.config.egress.allowHttp, faults);
    const hasWebhook = url === undefined ? (await this.read(consumerId)).host !== null : url !== null;
    if (kinds.length > 0 && recipients.length === 0 && !hasWebhook)
      faults.push({ field: 'kinds', message: 'must be empty without a mail address and a webhook' });
    if (faults.length > 0) throw new InvalidContentError(faults);
    const signingSecret = canonical == null ? undefined : generateSigningSecret();
    const webhook = canonical == null ? canonical : await this.sealed(canonical, signingSecret);
    const audit = auditEntry(actor, {
      action: 'alerts.changed',
      target: `consumer:${consumerId}`,
      details: {
        kinds,
        recipients: recipients.length,
        ...(webhook === undefined ? {} : { host: webhook?.host ?? null }),
      },
    });
    if (!(await this.alerts.choose(consumerId, { kinds, recipients, webhook }, audit)))
      throw new NotFoundException('There is no such consumer.');
    const chosen = await this.read(consumerId);
    return signingSecret === undefined ? chosen : { ...chosen, signingSecret };
  }

  /**
   * Sends a marked message by each way now.
   * @throws ConflictException without a way, or when its secrets cannot be decrypted; ServiceUnavailableException
   */
  async test(consumerId: string, actor: Actor): Promise<AlertsTestedDto> {
    const channels = await this.alerts.channelsOf(consumerId);
    if (channels.length === 0)
      throw new ConflictException('There is neither a mail address nor a webhook yet. Save one first.');
    await recordAudit(
      this.db,
      auditEntry(actor, { action: 'alerts.tested', target: `consumer:${consumerId}`, details: {} }),
    );
    const tested = new Map(
      await Promise.all(
        channels.map(async (channel) => [channel.kind, await this.testOne(channel)] as const),
      ),
    );
    return { mail: tested.get('email') ?? null, webhook: tested.get('webhook') ?? null };
  }

  private async testOne(channel: AlertChannel): Promise<ChannelTestedDto> {
    const { kind, recipients, consumer_name: consumerName } = channel;
    const { url, signingSecret } = kind === 'email' ? {} : await this.connections.opened(channel);
    const { isSent, fault } = await this.connections.test((sender) =>
      sender.sendAlert(
        { kind, url, signingSecret, recipients },
        {
          alertId: markedId(),
          kind: 'test',
          event: 'test',
          consumerName,
          at: new Date(),
          since: null,
          number: null,
          earlier: 0,
        },
      ),
    );
    return { isSent, fault: codeOf(fault) };
  }

  private async sealed(url: string, signingSecret: string | undefined): Promise<AlertChoice['webhook']> {
    const id = uuidv7();
    return {
      id,
      host: new URL(url).host,
      sealed: await this.connections.vault.seal(id, { url, signingSecret }),
    };
  }
}

/** `HTTP 500`, an outcome, or `mail`: what follows the colon is for operators. */
const SHOWN = new RegExp(`^(HTTP \\d+|mail|${OUTCOMES.join('|')})(?=:|$)`);

/** What the own people see of a fault. Anything else is `bank`: its text names addresses and keys of the installation. */
const codeOf = (fault: string | null): string | null =>
  fault === null ? null : (SHOWN.exec(fault)?.[0] ?? 'bank');

const wayOf = (channel: AlertChannel | undefined): AlertWayDto | null =>
  channel === undefined
    ? null
    : { lastSentAt: channel.last_sent_at?.toISOString() ?? null, fault: codeOf(channel.last_error) };
