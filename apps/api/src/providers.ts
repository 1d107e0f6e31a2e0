import { CONFIG, type Config } from '#libs/config';
import { ConsumersRepository, DatabaseModule } from '#libs/database';
import { createEgress, type Egress } from '#libs/egress';
import {
  createCredentialCache,
  createVault,
  readKeyring,
  type CredentialCache,
  type Vault,
} from '#libs/vault';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';

/** Injection token of what seals and opens credentials. */
export const VAULT = Symbol('Vault');

/** Injection token of the consumers' opened credentials. */
export const CREDENTIALS = Symbol('Credentials');

/** Injection token of the guarded way out. */
export const EGRESS = Symbol('Egress');

/** What the api needs to keep credentials, and to send test deliveries. */
@Module({
  imports: [DatabaseModule],
  providers: [
    {
      provide: VAULT,
      inject: [CONFIG],
      useFactory: (config: Config): Vault => createVault(readKeyring(config.keyring)),
    },
    {
      provide: CREDENTIALS,
      inject: [VAULT, ConsumersRepository],
      useFactory: (vault: Vault, consumers: ConsumersRepository): CredentialCache =>
        createCredentialCache({
          vault,
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
  exports: [VAULT, CREDENTIALS, EGRESS],
})
export class SecretsModule implements OnApplicationShutdown {
  constructor(@Inject(EGRESS) private readonly egress: Egress) {}

  /** A test delivery that is under way is cut off: the request that asked for it has ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.egress.close({ withinMs: 0 });
  }
}
