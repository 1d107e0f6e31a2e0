import { CONFIG, type Config } from '#libs/config';
import type { FieldFault } from '#libs/contracts';
import { ConsumerAlertsRepository, type AlertChoice } from '#libs/database';
import { createChannelVault, generateSigningSecret, readKeyring, type ChannelVault } from '#libs/vault';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { InvalidContentError } from '../../http/invalid-input.js';
import { canonicalUrl } from '../consumers/settings-rules.js';
import type { AlertsChosenDto, AlertsDto, ChooseAlertsDto } from './alerts.dto.js';

/** The alerts that a consumer's own people choose. */
@Injectable()
export class AlertsService {
  private readonly vault: ChannelVault;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly alerts: ConsumerAlertsRepository,
  ) {
    this.vault = createChannelVault(readKeyring(config.keyring));
  }

  async read(consumerId: string): Promise<AlertsDto> {
    const channels = await this.alerts.channelsOf(consumerId);
    const webhook = channels.find(({ kind }) => kind === 'webhook');
    return {
      kinds: channels[0]?.alert_kinds ?? [],
      recipients: channels.flatMap(({ recipients }) => recipients),
      host: webhook?.host ?? null,
      // `HTTP 500` or `timeout`: what follows the colon is for operators.
      webhookFault: webhook?.last_error?.split(':', 1)[0] ?? null,
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

  private async sealed(url: string, signingSecret: string | undefined): Promise<AlertChoice['webhook']> {
    const id = uuidv7();
    return { id, host: new URL(url).host, sealed: await this.vault.seal(id, { url, signingSecret }) };
  }
}
