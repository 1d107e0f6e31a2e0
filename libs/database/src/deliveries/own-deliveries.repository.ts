import type { DeliveryFilter, DeliveryState } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { ConsumersReadingDatabase, Database } from '../connection/connection.js';
import { DEAD_OPEN, DeliveriesRepository, type DeliveryRow } from './deliveries.repository.js';
import { failuresByCause, type FailureGroup } from './failures.js';

/** Number of deliveries by state; a count at `MOST_COUNTED` is a lower bound. */
export type OwnCounts = Readonly<Record<DeliveryState, number>>;

/** More are not counted: the question is asked with every visit of a consumer's people. */
const MOST_COUNTED = 10_000;

/**
 * Reads the deliveries of one consumer for its own people. Each method requires the consumer's id, and finds nothing of
 * another consumer. The connections are those of consumers' lists, so that these do not delay operators.
 */
@Injectable()
export class OwnDeliveriesRepository {
  private readonly deliveries: DeliveriesRepository;

  constructor(
    private readonly reading: ConsumersReadingDatabase,
    db: Database,
  ) {
    this.deliveries = new DeliveriesRepository(reading, db);
  }

  /** A live view, newest first; one row more than `limit`. */
  list(
    consumerId: string,
    filter: Omit<DeliveryFilter, 'consumerId'>,
    page: { offset: number; limit: number },
  ): Promise<DeliveryRow[]> {
    return this.deliveries.list({ ...filter, consumerId }, page);
  }

  /** The delivery, if it is this consumer's; undefined for an unknown one and for another consumer's. */
  async find(consumerId: string, id: string): Promise<DeliveryRow | undefined> {
    const row = await this.deliveries.find(id);
    return row?.consumer_id === consumerId ? row : undefined;
  }

  /** Failed attempts of a period by cause; see `failuresByCause`. */
  failures(
    consumerId: string,
    of: { readonly from: Date; readonly to: Date; readonly most: number },
  ): Promise<FailureGroup[]> {
    return failuresByCause(this.reading, { consumerId, ...of });
  }

  /**
   * Counts the pending deliveries, the dead ones that are not settled, and those of the last 24 hours that are delivered
   * or cancelled, each up to `MOST_COUNTED`.
   */
  async counts(consumerId: string): Promise<OwnCounts> {
    const { rows } = await sql<{ state: DeliveryState; count: number }>`
      select state, count(*)::int as count from (
        (select state from pending_delivery_states where consumer_id = ${consumerId} limit ${MOST_COUNTED})
        union all
        (select state from deliveries where consumer_id = ${consumerId} and ${DEAD_OPEN} limit ${MOST_COUNTED})
        union all
        (select state from deliveries
         where consumer_id = ${consumerId} and state = 'cancelled' and created_at > now() - interval '24 hours'
         limit ${MOST_COUNTED})
        union all
        -- The newest rows of an index: state is read from at most so many rows of the table.
        (select state from deliveries
         where consumer_id = ${consumerId} and state = 'delivered' and created_at > now() - interval '24 hours'
         limit ${MOST_COUNTED})
      ) d group by state`.execute(this.reading);
    const counts = new Map(rows.map(({ state, count }) => [state, count]));
    const of = (state: DeliveryState): number => counts.get(state) ?? 0;
    return {
      queued: of('queued'),
      sending: of('sending'),
      held: of('held'),
      delivered: of('delivered'),
      dead: of('dead'),
      cancelled: of('cancelled'),
    };
  }

  /** The newest delivery with an attempt: among the newest 50, or the newest delivered one; undefined without any. */
  async lastSent(consumerId: string): Promise<DeliveryRow | undefined> {
    const newest = await this.deliveries.list({ consumerId }, { offset: 0, limit: 50 });
    const sent = newest.find(({ attempts }) => attempts > 0);
    if (sent !== undefined) return sent;
    const [delivered] = await this.deliveries.list({ consumerId, delivered: true }, { offset: 0, limit: 1 });
    return delivered;
  }
}
