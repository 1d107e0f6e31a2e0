import { BulkActionsRepository, type BulkActionRow } from '#libs/database';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';

/** Stops a bulk action after its current batch; completed batches are not undone. */
@Injectable()
export class StopBulkAction {
  constructor(private readonly actions: BulkActionsRepository) {}

  /**
   * @param given `startedFor`: only one that this consumer's people started; another one is unknown
   * @throws NotFoundException, or ConflictException when it has already finished or failed
   */
  async execute(
    id: string,
    reason: string,
    actor: Actor,
    given: { readonly startedFor?: string } = {},
  ): Promise<BulkActionRow> {
    const row = await this.actions.stop(
      id,
      auditEntry(actor, { action: 'bulk-action.stopped', target: `bulk-action:${id}`, reason }),
      given,
    );
    if (row === undefined) throw new NotFoundException('There is no such bulk action.');
    if (row.state === 'finished' || row.state === 'failed')
      throw new ConflictException(`It has ${row.state}; there is nothing to stop.`);
    return row;
  }
}
