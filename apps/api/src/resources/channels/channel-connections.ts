import { ChannelSender, createMailer, type SendResult } from '#libs/channels';
import { CONFIG, type Config } from '#libs/config';
import { LocalFaultError, type Egress } from '#libs/egress';
import { createChannelVault, readKeyring, UndecryptableError, type ChannelVault } from '#libs/vault';
import { Inject, Injectable, ServiceUnavailableException } from '@nestjs/common';
import { EGRESS } from '../../secrets/secrets.module.js';
import { CredentialsUnreadableError } from '../../secrets/opened-credentials.js';
import type { ChannelTestedDto } from './channel.dto.js';

/** What test messages are sent with, and the channels' secrets: of the bank's channels, and of those of consumers' people. */
@Injectable()
export class ChannelConnections {
  readonly vault: ChannelVault;
  private readonly sender: ChannelSender;

  constructor(@Inject(CONFIG) config: Config, @Inject(EGRESS) egress: Egress) {
    this.vault = createChannelVault(readKeyring(config.keyring));
    const mailer = config.mail === null ? null : createMailer(config.mail.smtpUrl, config.mail.from);
    const origin = { publicUrl: config.publicUrl, environment: config.environment?.name ?? null };
    this.sender = new ChannelSender(egress, mailer, origin);
  }

  /** A channel's secrets. @throws CredentialsUnreadableError */
  opened({ id, sealed }: { readonly id: string; readonly sealed: string }) {
    return this.vault.open(id, sealed).catch((error: unknown) => {
      throw error instanceof UndecryptableError ? new CredentialsUnreadableError(error) : error;
    });
  }

  /** @throws ServiceUnavailableException when this process cannot send */
  async test(send: (sender: ChannelSender) => Promise<SendResult>): Promise<ChannelTestedDto> {
    const result = await send(this.sender).catch((error: unknown) => {
      if (!(error instanceof LocalFaultError)) throw error;
      throw new ServiceUnavailableException(
        `This process cannot send at the moment: ${error.message}. Try again.`,
      );
    });
    return { isSent: result.isSent, fault: result.isSent ? null : result.fault };
  }
}
