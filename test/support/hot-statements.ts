import { newId } from '#libs/contracts';
import {
  acceptEvents,
  AcceptStore,
  BulkActionsRepository,
  cancelDelivery,
  ConsumersReadingDatabase,
  DeliveriesRepository,
  EventsRepository,
  leaveSessions,
  openConsumersReading,
  openDatabase,
  openReading,
  parkDeliveries,
  Pipeline,
  PIPELINE_SETTINGS,
  retryDelivery,
  stepBulkAction,
  type Database,
  type LeavingSession,
  type NewEvent,
  type OwnPayment,
  type ReadingDatabase,
} from '#libs/database';
import { sql } from 'kysely';
import { AUDIT } from '#test/support/bulk-runs';
import { routingVersion, deliveryOf, statusFor } from '#test/support/new-status';
import { TestSession } from '#test/support/test-session';

/** What a statement reads: rows and index entries that it finds, and pages of indexes. */
export interface Reads {
  readonly rows: number;
  readonly pages: number;
}

/** Runs each statement of the hot path and each look-up by id, and counts what it reads. */
export class HotStatements {
  private readonly pipeline: Pipeline;
  private readonly commands: Database;
  private readonly lists: ReadingDatabase;
  private readonly consumersLists: ConsumersReadingDatabase;

  /** @param consumerId a consumer whose due deliveries are only those that are accepted here */
  constructor(
    url: string,
    private readonly consumerId: string,
  ) {
    // One connection keeps its plans and reports its reads at once; further ones would report a second later.
    const options = { url, poolSize: 1 };
    this.pipeline = new Pipeline({ ...options, settings: PIPELINE_SETTINGS });
    this.commands = openDatabase(options);
    this.lists = openReading(options);
    this.consumersLists = openConsumersReading(options);
  }

  async close(): Promise<void> {
    const pools = [this.commands, this.lists, this.consumersLists];
    await Promise.all([this.pipeline.close(), ...pools.map((pool) => pool.destroy())]);
  }

  /** @returns what each statement has read */
  async reads(): Promise<Record<string, Reads>> {
    const { pipeline, commands, consumerId } = this;
    const version = await routingVersion(pipeline.db);
    const store = new AcceptStore(pipeline);
    const deliveries = new DeliveriesRepository(this.lists, commands);
    const events = new EventsRepository(this.lists, commands);
    const bulk = new BulkActionsRepository(commands, this.lists, this.consumersLists);
    const [first, second] = [newId(), newId()].map((keyHash): NewEvent =>
      statusFor(consumerId, { paymentId: this.paymentId, keyHash: Buffer.from(keyHash) }),
    );
    if (first === undefined || second === undefined) throw new Error('two statuses were made');
    const payment = { producer: 'hub', eventType: first.eventType, paymentId: this.paymentId };
    const others: OwnPayment = { ...payment, producer: 'another hub' };
    const [one, two] = [deliveryOf(first), deliveryOf(second)];
    let session = await TestSession.open(pipeline, consumerId);
    const filter = { consumerId, paymentId: this.paymentId };
    const left = (): LeavingSession => ({
      consumerId,
      session: session.consumer.session,
      nextSendInMs: null,
      succeededMsAgo: 1,
      sent: [
        {
          deliveryId: two,
          eventType: first.eventType,
          paymentId: this.paymentId,
          attempts: 0,
          holdMs: 1_000,
        },
      ],
    });

    const statements: Record<string, () => Promise<unknown>> = {
      'accept the first status of a payment': () => acceptEvents(pipeline, [first], version),
      'accept a status behind a pending one': () => acceptEvents(pipeline, [second], version),
      'accept an idempotency key that is taken': () => acceptEvents(pipeline, [first], version),
      'first request with a key': () => store.firstRequests([first]),
      'past of a payment': () => store.pasts([payment]),
      'past of a payment for another producer': () => store.pasts([others]),
      'open a session': async () => (session = await TestSession.open(pipeline, consumerId)),
      fetch: () => session.fetch(1),
      park: () => parkDeliveries(pipeline, [{ id: two, blockedBy: one }]),
      'record a failure': () => session.record(one, { retryInMs: 3_600_000, spendsAttempt: true }),
      retry: () => retryDelivery(commands, one, { force: false }, AUDIT),
      'fetch again': () => session.fetch(1),
      'record the end of a delivery': () => session.record(one, { state: 'delivered' }),
      'leave a session with a request in flight': () => leaveSessions(pipeline, [left()]),
      'open the next session': async () => (session = await TestSession.open(pipeline, consumerId)),
      cancel: () => cancelDelivery(commands, two, AUDIT),
      'leave a session without work': () => leaveSessions(pipeline, [{ ...left(), sent: [] }]),
      'a finished delivery': () => deliveries.find(one),
      'the deliveries of an event': () => deliveries.ofEvent(first.id),
      'the deliveries of a payment': () =>
        deliveries.list({ paymentId: this.paymentId }, { offset: 0, limit: 10 }),
      'an event': () => events.find(first.id),
      'the events of a payment': () => events.ofPayment(first.eventType, this.paymentId),
      'a step of a bulk action': () => stepBulkAction(commands, 10),
    };
    await bulk.start({ id: newId(), action: 'retry', filter, reason: 'test', createdBy: 'ann' }, AUDIT);
    const reads: Record<string, Reads> = {};
    for (const [title, run] of Object.entries(statements)) {
      const before = await this.readSoFar();
      await run();
      const after = await this.readSoFar();
      reads[title] = { rows: after.rows - before.rows, pages: after.pages - before.pages };
    }
    await sql`delete from pending_deliveries where consumer_id = ${consumerId} and payment_id = ${this.paymentId}`.execute(
      commands,
    );
    this.paymentId = newId();
    return reads;
  }

  /**
   * The fewer of two rounds' reads: a plan that is made again reads the ends of indexes. It is made once for each
   * connection and after each analyze, and when PostgreSQL's queue of invalidations overflows, which all databases share.
   */
  async fewestReads(): Promise<Record<string, Reads>> {
    const [first, second] = [await this.reads(), await this.reads()];
    return Object.fromEntries(
      Object.entries(second).map(([title, { rows, pages }]) => {
        const former = first[title] ?? { rows, pages };
        return [title, { rows: Math.min(rows, former.rows), pages: Math.min(pages, former.pages) }];
      }),
    );
  }

  /** A payment of each round of its own. */
  private paymentId = newId();

  private async readSoFar(): Promise<Reads> {
    for (const pool of [this.pipeline.db, this.commands, this.lists, this.consumersLists])
      await sql`select pg_stat_force_next_flush()`.execute(pool);
    const { rows } = await sql<Reads>`
      select (select sum(idx_tup_read) from pg_stat_user_indexes)::int
             + (select sum(seq_tup_read) from pg_stat_user_tables)::int as rows,
             (select sum(idx_blks_hit + idx_blks_read) from pg_statio_user_indexes)::int as pages`.execute(
      this.pipeline.db,
    );
    const [read] = rows;
    if (read === undefined) throw new Error('an aggregate has a row');
    return read;
  }
}

/**
 * How much more a statement may read: rows that earlier rounds have deleted and that are not cleaned up yet; one or two
 * levels more of each index. A scan of the index of 10,000 pending deliveries reads more.
 */
const SLACK: Reads = { rows: 30, pages: 60 };

/** The statements that read more than they did before: how much then, and now. */
export const growing = (before: Record<string, Reads>, now: Record<string, Reads>) =>
  Object.entries(now).flatMap(([title, reads]) => {
    const formerly = before[title] ?? { rows: 0, pages: 0 };
    const isMore = reads.rows > formerly.rows + SLACK.rows || reads.pages > formerly.pages + SLACK.pages;
    return isMore ? [{ title, formerly, reads }] : [];
  });

/** Nothing analyzes these tables behind the test's back. */
export const withoutAutovacuum = (db: Database): Promise<unknown> =>
  sql`
    do $$ declare name text; begin
      for name in select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
                  where n.nspname = 'public' and c.relkind = 'r' loop
        execute format('alter table %s set (autovacuum_enabled = off)', name);
      end loop;
    end $$`.execute(db);

/**
 * Adds `count` rows to each large table, of consumers of their own; a tenth of it is pending and due. Without a
 * temporary table: the first one of a connection makes a schema, after which every connection plans anew.
 */
export async function addRows(db: Database, count: number): Promise<void> {
  const [events, deliveries] = [newId(), newId()].map((id) => id.slice(0, 24));
  const made = `
    (select n, ('${events}' || lpad(to_hex(n), 12, '0'))::uuid as event_id,
            ('${deliveries}' || lpad(to_hex(n), 12, '0'))::uuid as id,
            ('${deliveries}' || lpad(to_hex(n % 2000 + 1), 12, '0'))::uuid as consumer_id, 'P-${events}' || n as payment_id
     from generate_series(1, ${String(count)}) n) made`;
  for (const statement of ROWS) await sql.raw(statement.replace('made', made)).execute(db);
}

const ROWS = [
  `insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments, timestamp_unit,
                          ordering, timeout_ms, max_concurrency)
   select id, 'a', 'http://127.0.0.1:9/', '{wire.status}', '{}', '{}', true, 'seconds', 'payment', 10000, 64
   from made where n <= 2000`,
  `insert into consumer_runtime (consumer_id) select id from made where n <= 2000`,
  `insert into consumer_credentials (consumer_id, version, sealed, activate_at)
   select id, 1, 'sealed', now() from made where n <= 2000`,
  `insert into idempotency_keys (producer, key_hash, content_hash, notification_id)
   select 'hub', sha256(id::text::bytea), '', event_id from made`,
  `insert into payments (event_type, payment_id, last_number, company_ids, consumer_ids, newest_status, producers)
   select 'wire.status', payment_id, 1, '{}', '{}', 'Review', '{hub}' from made`,
  `insert into events (id, event_type, payment_id, number, status, event_at, producer, body, consumer_ids, delivery_ids)
   select event_id, 'wire.status', payment_id, 1, 'Review', now(), 'hub', '{}', array[consumer_id], array[id] from made`,
  `insert into pending_deliveries (id, event_id, consumer_id, event_type, payment_id, number, status)
   select id, event_id, consumer_id, 'wire.status', payment_id, 1, 'Review' from made where n % 10 = 0`,
  `insert into deliveries (id, event_id, consumer_id, event_type, payment_id, number, status, state, attempts,
                           last_outcome, last_http_status, created_at, first_attempt_at, finished_at, end_reason)
   select id, event_id, consumer_id, 'wire.status', payment_id, 1, 'Review',
          case when n % 50 = 1 then 'dead' else 'delivered' end, 1, 'acknowledged', 200, now(), now(), now(),
          'acknowledged'
   from made where n % 10 <> 0`,
  `insert into attempts (delivery_id, number, started_at, duration_ms, outcome, http_status, detail, url,
                         credential_version, request_headers, response_truncated)
   select id, 1, now(), 12, 'acknowledged', 200, 'HTTP 200', 'http://127.0.0.1/', 1, '{}', false
   from made where n % 10 <> 0`,
];
