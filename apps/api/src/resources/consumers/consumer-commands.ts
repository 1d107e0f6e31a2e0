import type { FieldFault } from '#libs/contracts';
import { CONFIG, type Config } from '#libs/config';
import {
  ConsumersRepository,
  pauseConsumer,
  reportOperatorCommand,
  Database,
  resumeConsumer,
  type AuditEntry,
  type ConsumerChange,
  type ConsumerSettings,
} from '#libs/database';
import { generateSigningSecret, type Vault } from '#libs/vault';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
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
import { auditedSettings, differences } from './consumer-view.js';
import type { UpdateConsumerDto } from './update-consumer.dto.js';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import type { PauseConsumerDto } from './pause-consumer.dto.js';
import { DispatchQueue } from '#libs/queue';
import { found } from '../../http/found.js';

const DEFAULTS = { timeoutMs: 10_000, maxConcurrency: 64 } as const;

/** The pause reason of a consumer that is registered paused. */
const NOT_LIVE_YET = 'Not live yet';

/** A registered consumer, and its signing secret if it was generated: it is shown only this once. */
export interface ConsumerRegistered {
  readonly id: string;
  readonly signingSecret: string | undefined;
}

/** Commands on consumers. */
@Injectable()
export class ConsumerCommands {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly consumers: ConsumersRepository,
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DispatchQueue,
  ) {}

  /**
   * Registers a consumer with its first credentials.
   * @throws InvalidContentError; ConflictException when the externalId is taken
   */
  async register(body: RegisterConsumerDto, actor: Actor): Promise<ConsumerRegistered> {
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

  /**
   * Changes a consumer's settings; workers use them from the next fetch on.
   * @throws InvalidContentError, NotFoundException; ConflictException when the externalId is taken
   */
  async change(id: string, body: UpdateConsumerDto, actor: Actor): Promise<void> {
    const change = this.changeOf(body);
    const isKnown = await this.consumers
      .update(id, change, (before, after) => {
        this.checkContact(body, after);
        return consumerChangedEntry(actor, Object.keys(body), before, after);
      })
      .catch(refuseTakenId);
    if (!isKnown) throw new NotFoundException('There is no such consumer.');
  }

  /** The contact and whether it gets mails may be changed in different requests. @throws InvalidContentError */
  private checkContact(
    { contact, notifyContact }: UpdateConsumerDto,
    after: { readonly contact: string | null; readonly notify_contact: boolean },
  ): void {
    if (contact === undefined && notifyContact === undefined) return;
    const faults: FieldFault[] = [];
    const settings = { contact: after.contact, notifyContact: after.notify_contact };
    checkNotifiedContact(settings, this.config.mail !== null, faults);
    if (faults.length > 0) throw new InvalidContentError(faults);
  }

  private changeOf(body: UpdateConsumerDto): ConsumerChange {
    const faults: FieldFault[] = [];
    const { allowHttp } = this.config.egress;
    const url = body.url === undefined ? undefined : canonicalUrl(body.url, allowHttp, faults);
    checkSchedule(body.retrySchedule, faults);
    const authorities = readAuthorities(body.caCertificate, faults);
    if (faults.length > 0) throw new InvalidContentError(faults);
    return {
      name: body.name,
      external_id: body.externalId,
      url,
      contact: body.contact,
      notify_contact: body.notifyContact,
      notes: body.notes,
      event_types: body.eventTypes,
      ach_company_ids: body.achCompanyIds,
      wire_company_ids: body.wireCompanyIds,
      all_payments: body.allPayments,
      timestamp_unit: body.timestampUnit,
      ordering: body.ordering,
      timeout_ms: body.timeoutMs,
      max_concurrency: body.maxConcurrency,
      max_per_second: body.maxPerSecond,
      retry_schedule: body.retrySchedule,
      ...(authorities === undefined
        ? {}
        : {
            ca_certificate: authorities?.pem ?? null,
            ca_certificates: JSON.stringify(authorities?.certificates ?? []),
          }),
    };
  }

  /**
   * Stops sending to a consumer: nothing is sent from the next fetch on; attempts in flight are finished.
   * @throws NotFoundException
   */
  async pause(consumerId: string, { reason, until }: PauseConsumerDto, actor: Actor): Promise<void> {
    const end = until === undefined ? null : new Date(until);
    const entry = auditEntry(actor, {
      action: 'consumer.paused',
      target: `consumer:${consumerId}`,
      reason,
      ...(end === null ? {} : { details: { until: end.toISOString() } }),
    });
    found(await pauseConsumer(this.db, consumerId, reason, entry, end), 'consumer');
    reportOperatorCommand({ logger: this.logger, metrics: this.metrics }, 'paused', { consumerId });
  }

  /**
   * Resumes sending to a consumer, in order and within its limits. If its circuit is open, one probe is sent at once,
   * and the rest after it is acknowledged.
   * @throws NotFoundException
   */
  async resume(consumerId: string, reason: string, actor: Actor): Promise<void> {
    const entry = auditEntry(actor, { action: 'consumer.resumed', target: `consumer:${consumerId}`, reason });
    found(await resumeConsumer(this.db, consumerId, entry), 'consumer');
    reportOperatorCommand({ logger: this.logger, metrics: this.metrics }, 'resumed', { consumerId });
    this.queue.enqueue([consumerId]);
  }

  /**
   * Removes a consumer: nothing is sent to it any more, and its pending deliveries are cancelled.
   * @throws NotFoundException
   */
  async remove(id: string, actor: Actor): Promise<void> {
    const entry = auditEntry(actor, { action: 'consumer.removed', target: `consumer:${id}` });
    found(await this.consumers.remove(id, entry), 'consumer');
  }
}

/** The audit entry of changed settings, with the values before and after. @param changed the fields that were given */
export const consumerChangedEntry = (
  actor: Actor,
  changed: readonly string[],
  before: ConsumerSettings,
  after: ConsumerSettings,
): AuditEntry =>
  auditEntry(actor, {
    action: 'consumer.changed',
    target: `consumer:${after.id}`,
    details: { changed },
    ...differences(auditedSettings(before), auditedSettings(after)),
  });
