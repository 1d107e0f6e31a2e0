import { instantOf, pageOf, paginated, type PageQueryDto } from '#libs/contracts';
import { BulkActionsRepository, SchedulesRepository, type BulkActionRow } from '#libs/database';
import { BULK_WORK } from '#libs/dispatch';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../access/audit-entry.js';
import { InvalidContentError } from '../http/invalid-input.js';
import type { BulkActionDto, BulkActionListDto, BulkPreviewDto } from './bulk-action.dto.js';
import { MoreMatchError } from './more-match.js';
import type { BulkFilterDto, StartBulkActionDto } from './start-bulk-action.dto.js';

/** Counts, starts, shows and stops bulk actions; the workers carry them out. */
@Injectable()
export class BulkActionsService {
  constructor(
    private readonly actions: BulkActionsRepository,
    private readonly schedules: SchedulesRepository,
  ) {}

  async preview({ action, filter }: StartBulkActionDto): Promise<BulkPreviewDto> {
    checkFilter(filter);
    return { action, matched: await this.actions.count(action, filter) };
  }

  /** @throws MoreMatchError when more match than `expectedCount`; nothing is started then */
  async start(given: StartBulkActionDto, actor: Actor): Promise<BulkActionDto> {
    checkFilter(given.filter);
    const { action, reason, expectedCount } = given;
    const filter = inUtc(given.filter);
    const id = uuidv7();
    const started = await this.actions.start(
      { id, action, filter, reason, createdBy: actor.name },
      auditEntry(actor, {
        action: 'bulk-action.started',
        target: `bulk-action:${id}`,
        reason,
        details: { action, filter },
      }),
      expectedCount,
    );
    if (started.kind === 'more-match') throw new MoreMatchError(started.matched, started.expectedCount);
    // It is committed, and its schedule comes by itself: who is told of a fault now would start it twice.
    await this.schedules.hasten(BULK_WORK).catch(() => undefined);
    return viewOf(started.row);
  }

  async list(query: PageQueryDto): Promise<BulkActionListDto> {
    const page = pageOf(query);
    return paginated('bulkActions', (await this.actions.list(page)).map(viewOf), page);
  }

  async read(id: string): Promise<BulkActionDto> {
    return viewOf((await this.actions.find(id)) ?? notFound());
  }

  async stop(id: string, reason: string, actor: Actor): Promise<BulkActionDto> {
    const row = await this.actions.stop(
      id,
      auditEntry(actor, { action: 'bulk-action.stopped', target: `bulk-action:${id}`, reason }),
    );
    if (row === undefined) return notFound();
    if (row.state === 'finished' || row.state === 'failed')
      throw new ConflictException(`It has ${row.state}; there is nothing to stop.`);
    return viewOf(row);
  }
}

/** Nobody means every delivery there ever was. */
function checkFilter(filter: BulkFilterDto): void {
  if (Object.keys(filter).length === 0) {
    throw new InvalidContentError([{ field: 'filter', message: 'must name at least one field' }]);
  }
}

/** The filter as it is kept and shown: with its instants in UTC, however they were written. */
const inUtc = ({ from, to, ...rest }: BulkFilterDto): BulkFilterDto => ({
  ...rest,
  ...(from === undefined ? {} : { from: instantOf(from).toISOString() }),
  ...(to === undefined ? {} : { to: instantOf(to).toISOString() }),
});

function notFound(): never {
  throw new NotFoundException('There is no such bulk action.');
}

const viewOf = (row: BulkActionRow): BulkActionDto => ({
  id: row.id,
  action: row.action,
  filter: row.filter,
  reason: row.reason,
  state: row.state,
  matched: row.matched,
  processed: row.processed,
  changed: row.changed,
  skipped: row.skipped,
  lastFault: row.last_fault,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
});
