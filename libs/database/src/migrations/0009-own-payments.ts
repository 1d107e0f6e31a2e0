import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // What one producer's own events say of a payment; no row when it has none. For payments whose id several producers use,
  // possibly for different payments: the row in payments mixes what they posted.
  `create function own_payment(wanted_type text, wanted_payment text, wanted_producer text)
   returns table (last_number integer, newest_status text, updated_at timestamptz, consumer_ids uuid[], company_ids text[])
   language sql stable as $$
     with own as materialized (
       select id, number, status, accepted_at, body, consumer_ids, sent_by_hand from events
       where payment_id = wanted_payment and event_type = wanted_type and producer = wanted_producer
     )
     select count(*)::int,
            (array_agg(own.status order by own.number desc) filter (where own.status is not null))[1],
            max(own.accepted_at),
            array(
              select unnest(o.consumer_ids) from own o
              union
              -- A consumer that was added by hand is not among the event's own recipients.
              select d.consumer_id from own o join open_deliveries d on d.event_id = o.id where o.sent_by_hand
              union
              select d.consumer_id from own o join deliveries d on d.event_id = o.id where o.sent_by_hand
            ),
            -- The specification's company ids, as companyIdsIn of libs/contracts finds them.
            array(
              select distinct c.id from own o, lateral (values
                (o.body::jsonb #>> '{data,achEventInfo,debtor,achCompanyId}'),
                (o.body::jsonb #>> '{data,achEventInfo,creditor,achCompanyId}'),
                (o.body::jsonb #>> '{data,wireEventInfo,originalWire,originatorInfo,wireCompanyId}')
              ) c (id) where c.id is not null
            )
     from own having count(*) > 0
   $$`,
  // A producer's list of payments finds those that it shares an id with others for; as a rule there are none.
  `create index payments_shared on payments (event_type, payment_id) where cardinality(producers) > 1`,
];

/** A producer sees and inherits its own statuses only: docs/adr/0038-own-payments.md. */
export const ownPayments: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
