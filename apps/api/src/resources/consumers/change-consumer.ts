import type { FieldFault } from '#libs/contracts';
import { CONFIG, type Config } from '#libs/config';
import {
  ConsumersRepository,
  type AuditEntry,
  type ConsumerChange,
  type ConsumerSettings,
} from '#libs/database';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { readAuthorities } from './certificates/read-certificates.js';
import { auditedSettings, differences } from './consumer-view.js';
import { canonicalUrl, checkNotifiedContact, checkSchedule, refuseTakenId } from './settings-rules.js';
import type { UpdateConsumerDto } from './update-consumer.dto.js';
import { InvalidContentError } from '../../http/invalid-input.js';

/** Changes a consumer's settings; workers use them from the next fetch on. */
@Injectable()
export class ChangeConsumer {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly consumers: ConsumersRepository,
  ) {}

  /** @throws InvalidContentError, NotFoundException; ConflictException when the externalId is taken */
  async execute(id: string, body: UpdateConsumerDto, actor: Actor): Promise<void> {
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
