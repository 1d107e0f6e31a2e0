import { CONFIG, type Config } from '#libs/config';
import { pageOf, paginated, type PageQueryDto } from '#libs/contracts';
import { ChannelsRepository, type ChannelRow } from '#libs/database';
import { defaultSeverities } from '#libs/policy';
import { generateSigningSecret } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { InvalidContentError } from '../../http/invalid-input.js';
import type { ChangeChannelDto } from './change-channel.dto.js';
import { ChannelConnections } from './channel-connections.js';
import {
  channelView,
  type ChannelCreatedDto,
  type ChannelDto,
  type ChannelListDto,
  type ChannelTestedDto,
} from './channel.dto.js';
import { checkDestination } from './check-destination.js';
import type { CreateChannelDto } from './create-channel.dto.js';
import { markedId } from '../consumers/diagnosis/sample-change.js';
import { found } from '../../http/found.js';

/** Creates, reads, changes, tests and removes channels. */
@Injectable()
export class ChannelsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly connections: ChannelConnections,
    private readonly channels: ChannelsRepository,
  ) {}

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
        sealed: await this.connections.vault.seal(id, { ...secrets, signingSecret }),
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
    const { url, signingSecret, routingKey } = await this.connections.opened(row);
    const audit = auditEntry(actor, {
      action: 'channel.tested',
      target: `channel:${id}`,
      details: { name: row.name },
    });
    found(await this.channels.update(id, {}, audit), 'channel');
    const destination = { kind: row.kind, url, signingSecret, routingKey, recipients: row.recipients };
    return this.connections.test(async (sender) => {
      const [result] = await sender.send(destination, [testMessage(new Date())]);
      return result ?? { isSent: true };
    });
  }

  private async find(id: string): Promise<ChannelRow> {
    const row = found(await this.channels.find(id), 'channel');
    return row;
  }

  private async resealed(
    row: ChannelRow,
    { url, routingKey }: { url?: string | undefined; routingKey?: string | undefined },
  ) {
    const old = await this.connections.opened(row);
    return this.connections.vault.seal(row.id, {
      url: url ?? old.url,
      routingKey: routingKey ?? old.routingKey,
      signingSecret: old.signingSecret,
    });
  }
}

const hostOf = (url: string | undefined): string | null => (url === undefined ? null : new URL(url).host);

const testMessage = (now: Date) =>
  ({
    event: 'opened',
    issueId: markedId(),
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
