import {
  acceptEvents,
  firstRequests,
  freeLapsedKeys,
  lockOwnPast,
  Pipeline,
  type AcceptOutcome,
  type FirstRequest,
  type NewEvent,
  type PaymentPast,
} from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { EventWriter, FirstRequests, IdempotencyKey, OwnPayment } from './accept-changes.js';

/** Rolls back the transaction of a change that was not accepted: the payment's row may exist only for the lock. */
class NotAccepted extends Error {
  override readonly name = 'NotAccepted';
  constructor(readonly outcome: AcceptOutcome) {
    super('the change was not accepted');
  }
}

/** Stores accepted events in PostgreSQL. */
@Injectable()
export class AcceptStore implements EventWriter, FirstRequests {
  constructor(private readonly pipeline: Pipeline) {}

  write(events: readonly NewEvent[], routingVersion: string): Promise<AcceptOutcome> {
    return acceptEvents(this.pipeline, events, routingVersion);
  }

  async writeAfterPast(
    payment: OwnPayment,
    eventsAfter: (past: PaymentPast) => readonly NewEvent[],
    routingVersion: string,
  ): Promise<AcceptOutcome> {
    try {
      return await this.pipeline.db.transaction().execute(async (trx) => {
        const events = eventsAfter(await lockOwnPast(trx, payment));
        if (events.length === 0) throw new NotAccepted({ kind: 'accepted', enqueue: [] });
        const outcome = await acceptEvents(trx, events, routingVersion);
        if (outcome.kind !== 'accepted') throw new NotAccepted(outcome);
        return outcome;
      });
    } catch (error) {
      if (error instanceof NotAccepted) return error.outcome;
      throw error;
    }
  }

  async firstRequests(keys: readonly IdempotencyKey[]): Promise<FirstRequest[]> {
    await freeLapsedKeys(this.pipeline.db, keys);
    return firstRequests(this.pipeline.db, keys);
  }
}
