import type { EventType } from '#libs/contracts';
import { sql } from 'kysely';
import { cancelLocked } from '../acts/cancel-delivery.js';
import type { Database } from '../connection.js';
import { releaseNextInLane } from '../delivering/release-next-in-lane.js';
import { FINISHED, OPEN } from '../reading/deliveries.repository.js';
import type { Batch, BatchDone } from './batch.js';

interface Row {
  id: string;
  consumer_id: string;
  event_type: EventType;
  payment_id: string | null;
}

/** Cancels a batch, under its consumers' gates, and lets go what waited for any of it. */
export async function cancelBatch(trx: Database, { ids, covers }: Batch): Promise<BatchDone> {
  await sql`
    select id from open_deliveries where id = any (${ids}::uuid[])
    order by consumer_id, event_type, payment_id, number, id for update`.execute(trx);
  // A statement of its own: what the locks waited for shows only now.
  const { rows } = await sql<Row>`
    select o.id, o.consumer_id, o.event_type, o.payment_id from (${OPEN}) o
    join open_deliveries d on d.id = o.id and (d.state <> 'sending' or d.lease_until <= now())
    where o.id in (select id from (${OPEN}) c where id = any (${ids}::uuid[]) and ${covers})
    union all
    select id, consumer_id, event_type, null from (${FINISHED}) f where id = any (${ids}::uuid[]) and ${covers}`.execute(
    trx,
  );
  await cancelLocked(
    trx,
    rows.map(({ id }) => id),
  );
  const released = await releaseNextInLane(
    trx,
    rows.flatMap(({ consumer_id, event_type, payment_id }) =>
      payment_id === null ? [] : [{ consumerId: consumer_id, eventType: event_type, paymentId: payment_id }],
    ),
  );
  return { changed: rows.length, released, atGateOf: [] };
}
