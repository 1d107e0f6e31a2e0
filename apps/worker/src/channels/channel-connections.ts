import { ChannelSender, createMailer, type Mailer, type SendResult } from '#libs/channels';
import { CONFIG, type Config } from '#libs/config';
import { createEgress, LocalFaultError, type Egress } from '#libs/egress';
import { faultText } from '#libs/observability';
import { createChannelVault, readKeyring, UndecryptableError, type ChannelVault } from '#libs/vault';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** What messages to channels are sent with: connections apart from those of deliveries, mails, and the channels' secrets. */
@Injectable()
export class ChannelConnections implements OnApplicationShutdown {
  private readonly egress: Egress;
  /** Null: no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly sender: ChannelSender;
  readonly vault: ChannelVault;

  constructor(@Inject(CONFIG) config: Config) {
    const { allow, proxy } = config.egress;
    this.egress = createEgress({ allow, proxy });
    const origin = { publicUrl: config.publicUrl, environment: config.environment?.name ?? null };
    this.mailer = config.mail === null ? null : createMailer(config.mail.smtpUrl, config.mail.from);
    this.sender = new ChannelSender(this.egress, this.mailer, origin);
    this.vault = createChannelVault(readKeyring(config.keyring));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.egress.close();
  }
}

/** The failure of an attempt that could not be made; null when this process is stopping, and another one sends it. */
export function failureOf(error: unknown): Exclude<SendResult, { isSent: true }> | null {
  if (error instanceof LocalFaultError) return null;
  const fault = error instanceof UndecryptableError ? error.message : faultText(error);
  return { isSent: false, fault, retryAfterMs: null };
}
