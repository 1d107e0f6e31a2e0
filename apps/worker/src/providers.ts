import { CONFIG, type Config } from '#libs/config';
import { ConsumersRepository, DatabaseModule } from '#libs/database';
import { createEgress, type Egress } from '#libs/egress';
import { createCredentialCache, createVault, readKeyring, type CredentialCache } from '#libs/vault';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';

/** Injection token of the consumers' decrypted credentials. */
export const CREDENTIALS = Symbol('Credentials');

/** Injection token of the HTTP client for consumers. */
export const EGRESS = Symbol('Egress');

/** Credentials and HTTP client, for signing and sending. */
@Module({
  imports: [DatabaseModule],
  providers: [
    {
      provide: CREDENTIALS,
      inject: [CONFIG, ConsumersRepository],
      useFactory: (config: Config, consumers: ConsumersRepository): CredentialCache =>
        createCredentialCache({
          vault: createVault(readKeyring(config.keyring)),
          load: (consumerId, version) => consumers.sealedCredentials(consumerId, version),
        }),
    },
    {
      provide: EGRESS,
      inject: [CONFIG],
      useFactory: (config: Config): Egress =>
        createEgress({ allow: config.egress.allow, proxy: config.egress.proxy }),
    },
  ],
  exports: [CREDENTIALS, EGRESS],
})
export class SendingModule implements OnApplicationShutdown {
  constructor(@Inject(EGRESS) private readonly egress: Egress) {}

  async onApplicationShutdown(): Promise<void> {
    await this.egress.close();
  }
}
