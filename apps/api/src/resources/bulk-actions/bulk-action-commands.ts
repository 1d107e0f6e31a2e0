import { ConflictWithFields } from '../../http/conflict.js';
import { BULK_WORK, BulkActionsRepository, SchedulesRepository, type BulkActionRow } from '#libs/database';
import { ConflictException, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { checkFilter } from './check-filter.js';
import type { StartBulkActionDto } from './start-bulk-action.dto.js';
import { found } from '../../http/found.js';

/** Commands on bulk actions. */
@Injectable()
export class BulkActionCommands {
  constructor(
    private readonly actions: BulkActionsRepository,
    private readonly schedules: SchedulesRepository,
  ) {}

  /**
   * Starts a bulk action on every delivery that matches a filter; the workers carry it out.
   * @param startedFor the consumer whose people start it, one at a time; absent for operators
   * @throws InvalidContentError, MoreMatchError when more than `expectedCount` match, or ConflictException while another
   *   one of the consumer runs; then nothing is started
   */
  async start(
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

  /**
   * Stops a bulk action after its current batch; completed batches are not undone.
   * @param given `startedFor`: only one that this consumer's people started; another one is unknown
   * @throws NotFoundException, or ConflictException when it has already finished or failed
   */
  async stop(
    id: string,
    reason: string,
    actor: Actor,
    given: { readonly startedFor?: string } = {},
  ): Promise<BulkActionRow> {
    const row = found(
      await this.actions.stop(
        id,
        auditEntry(actor, { action: 'bulk-action.stopped', target: `bulk-action:${id}`, reason }),
        given,
      ),
      'bulk action',
    );
    if (row.state === 'finished' || row.state === 'failed')
      throw new ConflictException(`It has ${row.state}; there is nothing to stop.`);
    return row;
  }
}

/** 409, nothing was started: more deliveries match than expected, or (`matched` null) counting took too long. */
class MoreMatchError extends ConflictWithFields {
  readonly fields: { readonly matched: number | null };

  constructor(matched: number | null, expectedCount: number) {
    const expected = `the expected ${String(expectedCount)}`;
    super(
      matched === null
        ? `The deliveries that match could not be counted within five seconds and compared with ${expected}. Nothing was started. Ask again, or narrow the filter.`
        : `Deliveries that match now: ${String(matched)}, more than ${expected}. Nothing was started. Look at the new count, and ask again with it.`,
    );
    this.fields = { matched };
  }
}
