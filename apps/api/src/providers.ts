import { CONFIG, type Config } from '#libs/config';
import { ConsumersRepository, DatabaseModule } from '#libs/database';
import { createEgress, type Egress } from '#libs/egress';
import {
  createCredentialCache,
  createVault,
  parseKeyring,
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
      useFactory: (config: Config): Vault => {
        const keyring = parseKeyring(config.keyring);
        if (!keyring.ok) throw new Error(`SECRETS_KEYRING ${keyring.faults.join('; ')}`);
        return createVault(keyring.keyring);
      },
    },
    {
      provide: CREDENTIALS,
      inject: [VAULT, ConsumersRepository],
      useFactory: (vault: Vault, consumers: ConsumersRepository): CredentialCache =>
        createCredentialCache({
          vault,
          load: async (consumerId, version) => {
            const sealed = await consumers.sealedCredentials(consumerId, version);
            if (sealed === undefined)
              throw new Error(`consumer ${consumerId} has no credentials of version ${String(version)}`);
            return sealed;
          },
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

  /** A test delivery that is under way is cut off: whoever asked for it has no answer any more. */
  async onApplicationShutdown(): Promise<void> {
    await this.egress.close({ withinMs: 0 });
  }
}
