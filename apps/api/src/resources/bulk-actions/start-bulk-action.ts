import { BULK_WORK, BulkActionsRepository, SchedulesRepository, type BulkActionRow } from '#libs/database';
import { ConflictException, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { checkFilter } from './check-filter.js';
import { MoreMatchError } from './more-match.js';
import type { StartBulkActionDto } from './start-bulk-action.dto.js';

/** Starts a bulk action on every delivery that matches a filter; the workers carry it out. */
@Injectable()
export class StartBulkAction {
  constructor(
    private readonly actions: BulkActionsRepository,
    private readonly schedules: SchedulesRepository,
  ) {}

  /**
   * @param startedFor the consumer whose people start it, one at a time; absent for operators
   * @throws InvalidContentError, MoreMatchError when more than `expectedCount` match, or ConflictException while another
   *   one of the consumer runs; then nothing is started
   */
  async execute(
    given: StartBulkActionDto,
    actor: Actor,
    { startedFor }: { readonly startedFor?: string } = {},
  ): Promise<BulkActionRow> {
    checkFilter(given.filter);
    const { action, filter, reason, expectedCount } = given;
    const id = uuidv7();
    const started = await this.actions.start(
      { id, action, filter, reason, createdBy: actor.name },
      auditEntry(actor, {
        action: 'bulk-action.started',
        target: `bulk-action:${id}`,
        reason,
        details: { action, filter },
      }),
      { expectedCount, ...(startedFor === undefined ? {} : { startedFor }) },
    );
    if (started.kind === 'one-is-running')
      throw new ConflictException('A replay runs already. Wait for its end, or stop it.');
    if (started.kind === 'more-match') throw new MoreMatchError(started.matched, started.expectedCount);
    // The action is committed, and the schedule starts it. An error now would make the operator start it again.
    await this.schedules.hasten(BULK_WORK).catch(() => undefined);
    return started.row;
  }
}
