import { instantOf } from '#libs/contracts';
import { BULK_WORK, BulkActionsRepository, SchedulesRepository, type BulkActionRow } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../access/audit-entry.js';
import { checkFilter } from '../bulk-actions/check-filter.js';
import { MoreMatchError } from '../bulk-actions/more-match.js';
import type { BulkFilterDto, StartBulkActionDto } from '../bulk-actions/start-bulk-action.dto.js';

/** Starts a bulk action on every delivery that matches a filter; the workers carry it out. */
@Injectable()
export class StartBulkAction {
  constructor(
    private readonly actions: BulkActionsRepository,
    private readonly schedules: SchedulesRepository,
  ) {}

  /** @throws InvalidContentError, or MoreMatchError when more than `expectedCount` match; then nothing is started */
  async execute(given: StartBulkActionDto, actor: Actor): Promise<BulkActionRow> {
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
    // The action is committed, and the schedule starts it. An error now would make the operator start it again.
    await this.schedules.hasten(BULK_WORK).catch(() => undefined);
    return started.row;
  }
}

/** The filter as it is stored and shown, with its instants converted to UTC. */
const inUtc = ({ from, to, ...rest }: BulkFilterDto): BulkFilterDto => ({
  ...rest,
  ...(from === undefined ? {} : { from: instantOf(from).toISOString() }),
  ...(to === undefined ? {} : { to: instantOf(to).toISOString() }),
});
