import type { DeliveryState, EventType } from '#libs/contracts';
import { sql } from 'kysely';
import type { Database } from '../connection.js';
import { lockForAdmission } from '../delivering/admission-facts.js';
import type { Lane } from '../delivering/release-next-in-lane.js';
import { lockGates } from '../gates/health.js';

/** A delivery as a person's act finds it, under the locks that keep it so until the transaction ends. */
export interface Standing {
  readonly id: string;
  readonly consumerId: string;
  readonly state: DeliveryState;
  /** A worker has it at this moment, and its lease holds. */
  readonly isBeingSent: boolean;
  readonly consumerIsRemoved: boolean;
  /** Its event has not outlived the retention. */
  readonly eventIsKept: boolean;
  /** Null: it belongs to no payment. */
  readonly lane: Lane | null;
}

interface Row {
  id: string;
  consumer_id: string;
  event_type: EventType;
  payment_id: string | null;
  state: DeliveryState;
  is_being_sent: boolean;
  removed: boolean;
  event_is_kept: boolean;
}

/**
 * Locks a delivery for a person's act and says how it stands. The consumer's gate comes first: under it nobody else
 * takes, reopens, cancels or expires for that consumer. **record** does not take the gate, so the open row is locked
 * too, and whatever a record under way makes of it shows in the last statement, whose snapshot is newer.
 * @returns undefined when there is no such delivery
 */
export async function lockStanding(trx: Database, id: string): Promise<Standing | undefined> {
  const { rows: found } = await sql<{ consumer_id: string }>`
    select consumer_id from open_deliveries where id = ${id}
    union all select consumer_id from deliveries where id = ${id}`.execute(trx);
  const consumerId = found[0]?.consumer_id;
  if (consumerId === undefined) return undefined;
  await lockGates(trx, [consumerId]);
  await lockForAdmission(trx, [id]);
  const { rows } = await sql<Row>`
    select d.*, c.deleted_at is not null as removed,
           exists (select from events e where e.id = d.event_id) as event_is_kept
    from (
      select id, event_id, consumer_id, event_type, payment_id, state,
             state = 'sending' and lease_until > now() as is_being_sent
      from open_deliveries where id = ${id}
      union all
      select id, event_id, consumer_id, event_type, payment_id, state, false from deliveries where id = ${id}
    ) d join consumers c on c.id = d.consumer_id`.execute(trx);
  const [row] = rows;
  return row === undefined ? undefined : standingOf(row);
}

const standingOf = (row: Row): Standing => ({
  id: row.id,
  consumerId: row.consumer_id,
  state: row.state,
  isBeingSent: row.is_being_sent,
  consumerIsRemoved: row.removed,
  eventIsKept: row.event_is_kept,
  lane:
    row.payment_id === null
      ? null
      : { consumerId: row.consumer_id, eventType: row.event_type, paymentId: row.payment_id },
});
