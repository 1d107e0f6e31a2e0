import type { DeliveryState } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { ConsumersReadingDatabase, Database } from '../connection/connection.js';
import { DEAD_OPEN, DeliveriesRepository } from './deliveries.repository.js';

/** Number of deliveries by state; a count at `MOST_COUNTED` is a lower bound. */
export type OwnCounts = Readonly<Record<DeliveryState, number>>;

/** More are not counted: the question is asked with every visit of a consumer's people. */
const MOST_COUNTED = 10_000;

/**
 * Reads the deliveries of one consumer for its own people. The connections are those of consumers' lists, so that these
 * do not delay operators.
 */
@Injectable()
export class OwnDeliveriesRepository extends DeliveriesRepository {
  constructor(
    private readonly ownReading: ConsumersReadingDatabase,
    db: Database,
  ) {
    super(ownReading, db);
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
      ) d group by state`.execute(this.ownReading);
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

  /**
   * The attempt that was sent last, acknowledged or not, among the newest 1,000 of each kind; undefined if none of them was
   * sent.
   */
  async lastSent(consumerId: string): Promise<{ deliveryId: string; attempt: number } | undefined> {
    const { rows } = await sql<{ deliveryId: string; attempt: number }>`
      select delivery_id as "deliveryId", number as attempt from (
        -- An attempt without a timestamp was not sent: no connection, or no name.
        (select delivery_id, number, started_at
         from (select delivery_id, number, started_at, request_headers from attempts
               where failed_consumer_id = ${consumerId} order by started_at desc limit 1000) failed
         where request_headers ? 'x-timestamp' order by started_at desc limit 1)
        union all
        (select a.delivery_id, a.number, a.started_at
         from (
           select id from (select id, state from deliveries where consumer_id = ${consumerId}
                           order by id desc limit 1000) newest
           where state = 'delivered' order by id desc limit 1
         ) d
         join attempts a on a.delivery_id = d.id
         order by a.number desc limit 1)
        union all
        -- What was acknowledged and is sent again is pending; its failed attempts are in the index above.
        (select a.delivery_id, a.number, a.started_at
         from (select id, attempts from pending_deliveries where consumer_id = ${consumerId}
               order by next_attempt_at limit 1000) p
         join attempts a on a.delivery_id = p.id
         where p.attempts > 0 and a.outcome = 'acknowledged' order by a.started_at desc limit 1)
      ) sent order by started_at desc limit 1`.execute(this.ownReading);
    return rows[0];
  }
}
