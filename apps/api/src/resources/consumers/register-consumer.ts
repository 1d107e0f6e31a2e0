import type { FieldFault } from '#libs/contracts';
import { CONFIG, type Config } from '#libs/config';
import { ConsumersRepository } from '#libs/database';
import { generateSigningSecret, type Vault } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { readAuthorities, readClientCertificate } from './certificates/read-certificates.js';
import type { RegisterConsumerDto } from './register-consumer.dto.js';
import {
  canonicalUrl,
  checkCredentials,
  checkNotifiedContact,
  checkSchedule,
  refuseTakenId,
} from './settings-rules.js';
import { InvalidContentError } from '../../http/invalid-input.js';
import { VAULT } from '../../secrets/secrets.module.js';

const DEFAULTS = { timeoutMs: 10_000, maxConcurrency: 64 } as const;

/** The pause reason of a consumer that is registered paused. */
const NOT_LIVE_YET = 'Not live yet';

/** A registered consumer, and its signing secret if it was generated: it is shown only this once. */
export interface ConsumerRegistered {
  readonly id: string;
  readonly signingSecret: string | undefined;
}

/** Registers a consumer with its first credentials. */
@Injectable()
export class RegisterConsumer {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly consumers: ConsumersRepository,
  ) {}

  /** @throws InvalidContentError; ConflictException when the externalId is taken */
  async execute(body: RegisterConsumerDto, actor: Actor): Promise<ConsumerRegistered> {
    const faults: FieldFault[] = [];
    const url = canonicalUrl(body.url, this.config.egress.allowHttp, faults);
    const { contact = null, notifyContact = false } = body;
    checkNotifiedContact({ contact, notifyContact }, this.config.mail !== null, faults);
    checkSchedule(body.retrySchedule, faults);
    checkCredentials(body.credentials, faults);
    const authorities = readAuthorities(body.caCertificate, faults);
    const client = readClientCertificate(body.clientCertificate, new Date(), faults);
    if (faults.length > 0) throw new InvalidContentError(faults);

    const id = uuidv7();
    const signingSecret = body.signingSecret ?? generateSigningSecret();
    const sealed = await this.vault.seal(
      { consumerId: id, version: 1 },
      { signingSecret, ...body.credentials, clientCertificate: client?.pem },
    );
    await this.consumers
      .insert(
        {
          id,
          name: body.name,
          external_id: body.externalId ?? null,
          url,
          contact,
          notify_contact: notifyContact,
          notes: body.notes ?? null,
          event_types: body.eventTypes,
          ach_company_ids: body.achCompanyIds ?? [],
          wire_company_ids: body.wireCompanyIds ?? [],
          all_payments: body.allPayments ?? false,
          timestamp_unit: body.timestampUnit ?? 'seconds',
          ordering: body.ordering ?? 'payment',
          timeout_ms: body.timeoutMs ?? DEFAULTS.timeoutMs,
          max_concurrency: body.maxConcurrency ?? DEFAULTS.maxConcurrency,
          max_per_second: body.maxPerSecond ?? null,
          retry_schedule: body.retrySchedule ?? null,
          ca_certificate: authorities?.pem ?? null,
          ...(body.paused === true ? { state: 'paused', pause_reason: NOT_LIVE_YET } : {}),
          ca_certificates: JSON.stringify(authorities?.certificates ?? []),
        },
        { sealed, clientCertificates: client?.certificates ?? [] },
        auditEntry(actor, {
          action: 'consumer.registered',
          target: `consumer:${id}`,
          details: { url, name: body.name, paused: body.paused ?? false },
        }),
      )
      .catch(refuseTakenId);
    return { id, signingSecret: body.signingSecret === undefined ? signingSecret : undefined };
  }
}
