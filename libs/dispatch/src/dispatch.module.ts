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
import { AcceptService } from './accept/accept.service.js';
import { RoutingDirectory } from './accept/routing-directory.js';
import { DeliveryActs } from './acts/delivery-acts.service.js';
import { AttemptService } from './attempt/attempt.service.js';
import { PickUp } from './attempt/pick-up.service.js';
import { StallWatch } from './attempt/stall-watch.js';
import { ExpiryGauge } from './certificates/expiry-gauge.js';
import { ServerCertificates } from './certificates/server-certificates.js';
import { CredentialCutOver } from './credentials/credential-cut-over.js';
import { CREDENTIALS, EGRESS, VAULT } from './doors.js';
import { Enqueuer } from './enqueuer.js';
import { Gatekeeper } from './gate/gatekeeper.js';
import { BulkWork } from './schedules/bulk-work.js';
import { Expiry } from './schedules/expiry.js';
import { Housekeeping } from './schedules/housekeeping.js';
import { LeaseWatch } from './schedules/lease-watch.js';
import { Mending } from './schedules/mending.js';
import { Probing } from './schedules/probing.js';
import { Reconciler } from './schedules/reconciler.js';
import { Scheduler } from './schedules/scheduler.js';
import { SignatureComparer } from './signature/signature-comparer.js';
import { SignatureExplainer } from './signature/signature-explainer.js';
import { TestDelivery } from './test-delivery/test-delivery.js';
import { Statistician } from './statistics/statistician.js';

/** The story, told the same in the api, the worker and stand-alone: it joins the doors, which do not know each other. */
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
    AcceptService,
    AttemptService,
    BulkWork,
    DeliveryActs,
    CredentialCutOver,
    Enqueuer,
    Expiry,
    ExpiryGauge,
    Gatekeeper,
    Housekeeping,
    LeaseWatch,
    Mending,
    PickUp,
    Probing,
    Reconciler,
    RoutingDirectory,
    Scheduler,
    ServerCertificates,
    SignatureComparer,
    SignatureExplainer,
    StallWatch,
    TestDelivery,
    Statistician,
  ],
  exports: [
    AcceptService,
    DeliveryActs,
    CredentialCutOver,
    Gatekeeper,
    PickUp,
    Reconciler,
    Scheduler,
    SignatureComparer,
    SignatureExplainer,
    TestDelivery,
    Statistician,
    VAULT,
    DatabaseModule,
  ],
})
export class DispatchModule implements OnApplicationShutdown {
  constructor(@Inject(EGRESS) private readonly egress: Egress) {}

  /** Whoever sends has had its time before: what is still under way is another process's when its lease ends. */
  async onApplicationShutdown(): Promise<void> {
    await this.egress.close({ withinMs: 0 });
  }
}
