import { expect, test } from 'vitest';
import {
  acceptEvents,
  BulkActionsRepository,
  ConsumersRepository,
  migrateToLatest,
  Pipeline,
  UrlRequestsRepository,
} from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { addConsumer, startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { newStatus, routingVersion } from '#test/support/new-status';
import { OwnPostgres } from '#test/support/own-postgres';
import { waitUntil } from '#test/support/wait-until';

const AUDIT = {
  actor: 'test',
  action: 'consumer.updated',
  target: 'test',
  address: null,
  details: {},
} as const;

test('conflicts that a consumer or an operator can cause at will are no errors in PostgreSQL’s log', async () => {
  let log = '';
  const postgres = await OwnPostgres.create({ durable: false, onOutput: (text) => (log += text) });
  await migrateToLatest(postgres.url('postgres'));
  const services = await startDispatcherInProcess({ DATABASE_URL: postgres.url('postgres') });
  try {
    const consumer = await addConsumer(services, { external_id: 'taken' });
    const other = await addConsumer(services);
    const consumers = services.app.get(ConsumersRepository, { strict: false });
    await expect(addConsumer(services, { external_id: 'taken' })).rejects.toThrow('belongs to another');
    const change = { external_id: 'taken' };
    await expect(consumers.update(other, change, () => AUDIT)).rejects.toThrow('belongs to another');
    expect(await consumers.update(consumer, change, () => AUDIT)).toBe(true);

    const requests = services.app.get(UrlRequestsRepository, { strict: false });
    const request = () => ({ id: uuidv7(), consumerId: consumer, url: 'https://new.example/hook' });
    const made = [await requests.make(request(), () => AUDIT), await requests.make(request(), () => AUDIT)];
    expect(made.map(({ kind }) => kind)).toEqual(['made', 'one_is_waiting']);

    const actions = services.app.get(BulkActionsRepository, { strict: false });
    const replay = () =>
      actions.start(
        { id: uuidv7(), action: 'replay', filter: {}, reason: 'test', createdBy: 'test' },
        AUDIT,
        { startedFor: consumer },
      );
    const first = [await replay(), await replay()];
    expect(first.map(({ kind }) => kind)).toEqual(['started', 'one-is-running']);
    expect(await acceptTwice(services.app.get(Pipeline, { strict: false }))).toEqual([
      'accepted',
      'key_taken',
    ]);
    expect(log).not.toContain('ERROR');
  } finally {
    await services.close();
    await postgres.remove();
  }
});

/** Accepts two events with one idempotency key, as two processes at the same moment: the second waits for the first. */
async function acceptTwice(pipeline: Pipeline): Promise<string[]> {
  const version = await routingVersion(pipeline.db);
  const [one, two] = [newStatus(), newStatus()];
  const keyHash = Buffer.from('one key');
  const [first, second] = await pipeline.db.transaction().execute(async (trx) => {
    const accepted = await acceptEvents(trx, [{ ...one, keyHash }], version);
    const waiting = acceptEvents(pipeline, [{ ...two, keyHash }], version);
    await waitUntil(
      async () => {
        const { rows } =
          await sql`select from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0`.execute(
            pipeline.db,
          );
        return rows.length > 0;
      },
      { what: 'the second accept to wait for the first' },
    );
    return [accepted, { waiting }] as const;
  });
  return [first.kind, (await second.waiting).kind];
}
