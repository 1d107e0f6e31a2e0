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

/** Injection token of the vault, which encrypts and decrypts credentials. */
export const VAULT = Symbol('Vault');

/** Injection token of the cache of decrypted credentials. */
export const CREDENTIALS = Symbol('Credentials');

/** Injection token of the HTTP client for consumers, which checks every address. */
export const EGRESS = Symbol('Egress');

/** Vault, credential cache and HTTP client: for storing credentials and sending test deliveries. */
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

  /** Test deliveries in flight are aborted: the requests that started them have ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.egress.close({ withinMs: 0 });
  }
}
