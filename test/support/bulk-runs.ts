import type { BulkActionKind, DeliveryFilter } from '#libs/contracts';
import {
  BulkActionsRepository,
  stepBulkAction,
  type AttemptResult,
  type AuditEntry,
  type BulkActionRow,
  type BulkStepDone,
  type Database,
  type StartedBulkAction,
} from '#libs/database';
import { v7 as uuidv7 } from 'uuid';
import { stateOf } from '#test/support/recipient';
import type { DispatcherInProcess } from '#test/support/dispatcher-in-process';
import { attempt } from '#test/support/test-session';

export const AUDIT: AuditEntry = {
  actor: 'ann',
  action: 'bulk-action.started',
  target: 'bulk',
  address: null,
  details: {},
};

/** Carries out one step of the running bulk action that has waited longest. @throws when the step fails */
export async function stepOrThrow(db: Database, limit: number): Promise<BulkStepDone | undefined> {
  const step = await stepBulkAction(db, limit);
  if (step?.kind === 'failed') throw new Error(step.fault);
  return step;
}

/** Bulk actions of a dispatcher in the test's process; they proceed only when the test calls for it. */
export class BulkRuns {
  readonly actions: BulkActionsRepository;

  constructor(private readonly dispatcher: DispatcherInProcess) {
    this.actions = dispatcher.app.get(BulkActionsRepository, { strict: false });
  }

  async start(action: BulkActionKind, filter: DeliveryFilter): Promise<BulkActionRow> {
    const started = await this.startExpecting(undefined, action, filter);
    if (started.kind !== 'started') throw new Error('a bulk action without an expected count was refused');
    return started.row;
  }

  /** Starts a bulk action unless more than `expectedCount` deliveries match. */
  startExpecting(
    expectedCount: number | undefined,
    action: BulkActionKind,
    filter: DeliveryFilter,
  ): Promise<StartedBulkAction> {
    const request = { id: uuidv7(), action, filter, reason: 'why', createdBy: 'ann' };
    return this.actions.start(request, AUDIT, { expectedCount });
  }

  /** Carries out all running bulk actions in steps of at most `limit` deliveries. */
  async finish(limit = 400): Promise<BulkStepDone[]> {
    const steps: BulkStepDone[] = [];
    for (;;) {
      const step = await stepOrThrow(this.dispatcher.db, limit);
      if (step === undefined) return steps;
      steps.push(step);
    }
  }

  /** Starts a bulk action, carries it out, and reads it. */
  async run(action: BulkActionKind, filter: DeliveryFilter): Promise<BulkActionRow | undefined> {
    const { id } = await this.start(action, filter);
    await this.finish();
    return this.actions.find(id);
  }

  /** Records one attempt of a delivery with this result. */
  async attempt(id: string, next: AttemptResult['next'] = { state: 'dead' }): Promise<void> {
    await attempt(this.dispatcher.pipeline, id, next);
  }

  states(ids: readonly string[]): Promise<string[]> {
    return Promise.all(ids.map((id) => stateOf(this.dispatcher, id)));
  }
}
