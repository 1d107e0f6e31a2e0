import { pageOf, paginated, type FieldFault, type PageQueryDto } from '#libs/contracts';
import { CONFIG, type Config } from '#libs/config';
import {
  CertificatesRepository,
  ConsumersRepository,
  DATABASE,
  ExternalIdTakenError,
  pauseConsumer,
  resumeConsumer,
  type ConsumerChange,
  type Database,
  type Listed,
} from '#libs/database';
import { checkRetrySchedule } from '#libs/delivery';
import { Gatekeeper, VAULT } from '#libs/dispatch';
import { canonicalConsumerUrl } from '#libs/egress';
import { checkPassword, checkUsername, generateSigningSecret, type Vault } from '#libs/vault';
import {
  ConflictException,
  Inject,
  Injectable,
  NotFoundException,
  type StreamableFile,
} from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../access/audit-entry.js';
import { streamedAnswer } from '../http/streamed-answer.js';
import { InvalidContentError } from '../http/invalid-input.js';
import { readAuthorities, readClientCertificate } from './certificates/read-certificates.js';
import type { ConsumerCreatedDto, ConsumerDto } from './consumer.dto.js';
import { auditedSettings, consumerView, differences } from './consumer-view.js';
import type { RegisterConsumerDto } from './register-consumer.dto.js';
import type { UpdateConsumerDto } from './update-consumer.dto.js';

/** Consumers as operators see them. Secrets go in, sealed, and only a generated one comes out, once. */
@Injectable()
export class ConsumersService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly consumers: ConsumersRepository,
    private readonly certificates: CertificatesRepository,
    @Inject(DATABASE) private readonly db: Database,
    private readonly gatekeeper: Gatekeeper,
  ) {}

  async register(body: RegisterConsumerDto, actor: Actor): Promise<ConsumerCreatedDto> {
    const faults: FieldFault[] = [];
    const url = this.canonicalUrl(body.url, faults);
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
          contact: body.contact ?? null,
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
          max_held_days: body.maxHeldDays ?? DEFAULTS.maxHeldDays,
          ca_certificate: authorities?.pem ?? null,
          ca_certificates: JSON.stringify(authorities?.certificates ?? []),
        },
        { sealed, clientCertificates: client?.certificates ?? [] },
        auditEntry(actor, {
          action: 'consumer.registered',
          target: consumer(id),
          details: { url, name: body.name },
        }),
      )
      .catch(refuseTakenId);
    const registered = await this.read(id);
    return body.signingSecret === undefined ? { ...registered, signingSecret } : registered;
  }

  /** As a `ConsumerListDto`. */
  async list(query: PageQueryDto): Promise<StreamableFile> {
    const page = pageOf(query);
    const { consumers, pagination } = paginated('consumers', await this.consumers.list(page), page);
    return streamedAnswer({ name: 'consumers', records: this.listed(consumers), after: { pagination } });
  }

  private async *listed(page: readonly Listed[]): AsyncGenerator<string[]> {
    for await (const rows of this.consumers.listed(page)) {
      const ids = rows.map(({ id }) => id);
      const inUse = Map.groupBy(await this.certificates.of(ids), (one) => one.consumerId);
      yield rows.map((row) => JSON.stringify(consumerView(row, inUse.get(row.id) ?? [])));
    }
  }

  async read(id: string): Promise<ConsumerDto> {
    const row = (await this.consumers.find(id)) ?? notFound();
    return consumerView(row, await this.certificates.of([id]));
  }

  async change(id: string, body: UpdateConsumerDto, actor: Actor): Promise<ConsumerDto> {
    const faults: FieldFault[] = [];
    const url = body.url === undefined ? undefined : this.canonicalUrl(body.url, faults);
    checkSchedule(body.retrySchedule, faults);
    const authorities = readAuthorities(body.caCertificate, faults);
    if (faults.length > 0) throw new InvalidContentError(faults);
    const change: ConsumerChange = {
      name: body.name,
      external_id: body.externalId,
      url,
      contact: body.contact,
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
      max_held_days: body.maxHeldDays,
      ...(authorities === undefined
        ? {}
        : {
            ca_certificate: authorities?.pem ?? null,
            ca_certificates: JSON.stringify(authorities?.certificates ?? []),
          }),
    };
    const isKnown = await this.consumers
      .update(id, change, (before, after) =>
        auditEntry(actor, {
          action: 'consumer.changed',
          target: consumer(id),
          details: { changed: Object.keys(body) },
          ...differences(auditedSettings(before), auditedSettings(after)),
        }),
      )
      .catch(refuseTakenId);
    if (!isKnown) notFound();
    // A raised limit is used at once.
    await this.gatekeeper.fillWindows([id]);
    return this.read(id);
  }

  async remove(id: string, actor: Actor): Promise<void> {
    const entry = auditEntry(actor, { action: 'consumer.removed', target: consumer(id) });
    if (!(await this.consumers.remove(id, entry))) notFound();
  }

  /** Nothing more is sent from the next take on; what is under way ends as it ends. */
  async pause(id: string, reason: string, actor: Actor): Promise<ConsumerDto> {
    const entry = auditEntry(actor, { action: 'consumer.paused', target: consumer(id), reason });
    if (!(await pauseConsumer(this.db, id, reason, entry))) notFound();
    this.gatekeeper.tellByHand('paused', { consumerId: id });
    return this.read(id);
  }

  /** Ends a pause and closes the circuit; what waited goes, in order, at the consumer's pace. */
  async resume(id: string, reason: string, actor: Actor): Promise<ConsumerDto> {
    const entry = auditEntry(actor, { action: 'consumer.resumed', target: consumer(id), reason });
    if (!(await resumeConsumer(this.db, id, entry))) notFound();
    this.gatekeeper.tellByHand('resumed', { consumerId: id });
    await this.gatekeeper.fillWindows([id]);
    return this.read(id);
  }

  private canonicalUrl(raw: string, faults: FieldFault[]): string {
    const url = canonicalConsumerUrl(raw, { allowHttp: this.config.egress.allowHttp });
    if (url.ok) return url.url;
    faults.push({ field: 'url', message: url.message });
    return '';
  }
}

const DEFAULTS = { timeoutMs: 10_000, maxConcurrency: 64, maxHeldDays: 7 } as const;

function checkSchedule(schedule: readonly number[] | null | undefined, faults: FieldFault[]): void {
  if (schedule === undefined || schedule === null) return;
  const checked = checkRetrySchedule(schedule);
  if (!checked.ok) faults.push(...checked.faults);
}

function checkCredentials(credentials: { username: string; password: string }, faults: FieldFault[]): void {
  const username = checkUsername(credentials.username);
  if (username !== null) faults.push({ field: 'credentials.username', message: username });
  const password = checkPassword(credentials.password);
  if (password !== null) faults.push({ field: 'credentials.password', message: password });
}

const consumer = (id: string): string => `consumer:${id}`;

function refuseTakenId(error: unknown): never {
  if (error instanceof ExternalIdTakenError)
    throw new ConflictException('Another consumer has this externalId.');
  throw error;
}

function notFound(): never {
  throw new NotFoundException('There is no such consumer.');
}
