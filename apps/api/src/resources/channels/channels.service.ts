import { ChannelSender, createMailer } from '#libs/channels';
import { CONFIG, type Config } from '#libs/config';
import { pageOf, paginated, type PageQueryDto } from '#libs/contracts';
import { ChannelsRepository, type ChannelRow } from '#libs/database';
import { LocalFaultError, type Egress } from '#libs/egress';
import { defaultSeverities } from '#libs/policy';
import {
  createChannelVault,
  generateSigningSecret,
  readKeyring,
  UndecryptableError,
  type ChannelVault,
} from '#libs/vault';
import { ConflictException, Inject, Injectable, ServiceUnavailableException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { InvalidContentError } from '../../http/invalid-input.js';
import { EGRESS } from '../../secrets/secrets.module.js';
import type { ChangeChannelDto } from './change-channel.dto.js';
import {
  channelView,
  type ChannelCreatedDto,
  type ChannelDto,
  type ChannelListDto,
  type ChannelTestedDto,
} from './channel.dto.js';
import { checkDestination } from './check-destination.js';
import type { CreateChannelDto } from './create-channel.dto.js';
import { found } from '../../http/found.js';

/** Creates, reads, changes, tests and removes channels. */
@Injectable()
export class ChannelsService {
  private readonly vault: ChannelVault;
  private readonly sender: ChannelSender;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(EGRESS) egress: Egress,
    private readonly channels: ChannelsRepository,
  ) {
    this.vault = createChannelVault(readKeyring(config.keyring));
    const mailer = config.mail === null ? null : createMailer(config.mail.smtpUrl, config.mail.from);
    const origin = { publicUrl: config.publicUrl, environment: config.environment?.name ?? null };
    this.sender = new ChannelSender(egress, mailer, origin);
  }

  /** @throws InvalidContentError */
  async create(body: CreateChannelDto, actor: Actor): Promise<ChannelCreatedDto> {
    const { faults, secrets } = checkDestination(body.kind, body, { isNew: true, config: this.config });
    if (faults.length > 0) throw new InvalidContentError(faults);
    const id = uuidv7();
    const signingSecret = body.kind === 'webhook' ? generateSigningSecret() : undefined;
    await this.channels.insert(
      {
        id,
        name: body.name,
        kind: body.kind,
        host: hostOf(secrets.url),
        recipients: body.recipients ?? [],
        sealed: await this.vault.seal(id, { ...secrets, signingSecret }),
        issue_kinds: body.issueKinds ?? null,
        severities: body.severities ?? [...defaultSeverities(body.kind)],
        consumer_ids: body.consumerIds ?? null,
        hours: body.hours == null ? null : JSON.stringify(body.hours),
        enabled: body.enabled ?? true,
      },
      auditEntry(actor, {
        action: 'channel.created',
        target: `channel:${id}`,
        details: { name: body.name, kind: body.kind },
      }),
    );
    const created = await this.read(id);
    return signingSecret === undefined ? created : { ...created, signingSecret };
  }

  async list(query: PageQueryDto): Promise<ChannelListDto> {
    const page = pageOf(query);
    return paginated('channels', (await this.channels.list(page)).map(channelView), page);
  }

  /** @throws NotFoundException */
  async read(id: string): Promise<ChannelDto> {
    return channelView(await this.find(id));
  }

  /** @throws NotFoundException, InvalidContentError, or ConflictException when its secrets cannot be decrypted */
  async change(id: string, body: ChangeChannelDto, actor: Actor): Promise<ChannelDto> {
    const before = await this.find(id);
    const { faults, secrets } = checkDestination(before.kind, body, { isNew: false, config: this.config });
    if (faults.length > 0) throw new InvalidContentError(faults);
    const isResealed = secrets.url !== undefined || secrets.routingKey !== undefined;
    const { name, recipients, issueKinds, severities, consumerIds, hours, enabled } = body;
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(recipients === undefined ? {} : { recipients }),
      ...(issueKinds === undefined ? {} : { issue_kinds: issueKinds }),
      ...(severities === undefined ? {} : { severities }),
      ...(consumerIds === undefined ? {} : { consumer_ids: consumerIds }),
      ...(hours === undefined ? {} : { hours: hours === null ? null : JSON.stringify(hours) }),
      ...(enabled === undefined ? {} : { enabled }),
      ...(secrets.url === undefined ? {} : { host: hostOf(secrets.url) }),
      ...(isResealed ? { sealed: await this.resealed(before, secrets) } : {}),
    };
    const audit = auditEntry(actor, {
      action: 'channel.changed',
      target: `channel:${id}`,
      details: { name: name ?? before.name, changed: Object.keys(body) },
    });
    found(await this.channels.update(id, change, audit), 'channel');
    return this.read(id);
  }

  /** @throws NotFoundException */
  async remove(id: string, actor: Actor): Promise<void> {
    const { name } = await this.find(id);
    const audit = auditEntry(actor, {
      action: 'channel.removed',
      target: `channel:${id}`,
      details: { name },
    });
    found(await this.channels.remove(id, audit), 'channel');
  }

  /**
   * Sends a marked message now, also to a disabled channel and at any hour.
   * @throws NotFoundException; ConflictException when its secrets cannot be decrypted; ServiceUnavailableException
   */
  async test(id: string, actor: Actor): Promise<ChannelTestedDto> {
    const row = await this.find(id);
    const { url, signingSecret, routingKey } = await this.opened(row);
    const audit = auditEntry(actor, {
      action: 'channel.tested',
      target: `channel:${id}`,
      details: { name: row.name },
    });
    found(await this.channels.update(id, {}, audit), 'channel');
    const destination = { kind: row.kind, url, signingSecret, routingKey, recipients: row.recipients };
    const [result] = await this.sender
      .send(destination, [testMessage(new Date())])
      .catch((error: unknown) => {
        if (!(error instanceof LocalFaultError)) throw error;
        throw new ServiceUnavailableException(
          `This process cannot send at the moment: ${error.message}. Try again.`,
        );
      });
    return result === undefined || result.isSent
      ? { isSent: true, fault: null }
      : { isSent: false, fault: result.fault };
  }

  private async find(id: string): Promise<ChannelRow> {
    const row = found(await this.channels.find(id), 'channel');
    return row;
  }

  private async resealed(
    row: ChannelRow,
    { url, routingKey }: { url?: string | undefined; routingKey?: string | undefined },
  ) {
    const old = await this.opened(row);
    return this.vault.seal(row.id, {
      url: url ?? old.url,
      routingKey: routingKey ?? old.routingKey,
      signingSecret: old.signingSecret,
    });
  }

  private opened({ id, sealed }: ChannelRow) {
    return this.vault.open(id, sealed).catch((error: unknown) => {
      if (error instanceof UndecryptableError) throw new ConflictException(`${error.message}.`);
      throw error;
    });
  }
}

const hostOf = (url: string | undefined): string | null => (url === undefined ? null : new URL(url).host);

/** The ids of test deliveries begin in the same way. */
const testMessage = (now: Date) =>
  ({
    event: 'opened',
    issueId: `TEST-${uuidv7().slice('TEST-'.length)}`,
    kind: 'down',
    consumerId: null,
    consumerName: 'TEST consumer',
    contact: null,
    summary: 'This is a test of the channel. No consumer is down.',
    advice: 'Nothing to do.',
    openedAt: now,
    acknowledgedBy: null,
    note: null,
    resolvedAt: null,
    resolvedBy: null,
  }) as const;
