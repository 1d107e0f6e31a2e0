import { pageOf, paginated, type PageQueryDto } from '#libs/contracts';
import { BulkActionsRepository, type BulkActionRow } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/audit-entry.js';
import type { BulkFilterDto } from './start-bulk-action.dto.js';
import { BulkActionCommands } from './bulk-action-commands.js';
import { viewOf } from '../../http/view-of.js';
import { ReplayDto, type ReplayListDto, type ReplayPreviewDto, type StartReplayDto } from './replay.dto.js';
import { found } from '../../http/found.js';

/** The reason of a replay for which none was given; a bulk action requires one. */
const NO_REASON = 'Started in the portal';

/** Replays of a consumer's own deliveries: bulk actions that are bound to the consumer. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly actions: BulkActionsRepository,
    private readonly commands: BulkActionCommands,
  ) {}

  async preview(consumerId: string, body: StartReplayDto): Promise<ReplayPreviewDto> {
    const matched = await this.actions.count('replay', filterOf(consumerId, body), {
      startedFor: consumerId,
    });
    return { matched };
  }

  /** @throws MoreMatchError; ConflictException while another replay of the consumer runs */
  async start(consumerId: string, body: StartReplayDto, actor: Actor): Promise<ReplayDto> {
    const { reason = NO_REASON, expectedCount } = body;
    const given = {
      action: 'replay' as const,
      filter: filterOf(consumerId, body),
      reason,
      ...(expectedCount === undefined ? {} : { expectedCount }),
    };
    return replayView(await this.commands.start(given, actor, { startedFor: consumerId }));
  }

  async list(consumerId: string, query: PageQueryDto): Promise<ReplayListDto> {
    const page = pageOf(query);
    const rows = await this.actions.list(page, { startedFor: consumerId });
    return paginated('replays', rows.map(replayView), page);
  }

  /** @throws NotFoundException, also for another consumer's replay and for bulk actions of operators */
  async read(consumerId: string, id: string): Promise<ReplayDto> {
    const row = found(await this.actions.find(id, { startedFor: consumerId }), 'replay');
    return replayView(row);
  }

  /** @throws NotFoundException as `read`; ConflictException when it has finished or failed */
  async stop(consumerId: string, id: string, reason: string | undefined, actor: Actor): Promise<ReplayDto> {
    await this.read(consumerId, id);
    const given = { startedFor: consumerId };
    return replayView(await this.commands.stop(id, reason ?? 'Stopped in the portal', actor, given));
  }
}

const filterOf = (consumerId: string, { from, to, scope }: StartReplayDto): BulkFilterDto => ({
  consumerId,
  from,
  ...(to === undefined ? {} : { to }),
  ...(scope === 'all' ? {} : { missed: true }),
});

const replayView = (row: BulkActionRow): ReplayDto =>
  viewOf(ReplayDto, row, {
    // Every replay has a beginning; the earliest instant would be that of an action which was started otherwise.
    from: row.filter.from ?? new Date(0).toISOString(),
    to: row.filter.to ?? null,
    scope: row.filter.missed === true ? 'missed' : 'all',
  });
