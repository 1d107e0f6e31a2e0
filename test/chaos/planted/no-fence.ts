import 'reflect-metadata';
import { Client } from 'pg';
import { SessionStore } from '#apps/worker/src/session/session-store';

/**
 * Planted fault, loaded before a worker's main file: a result is recorded although another session of its consumer was
 * opened. The number of each result's session is replaced by the one in force.
 */
// oxlint-disable-next-line typescript/unbound-method -- called with its `this` below
const { record } = SessionStore.prototype;
SessionStore.prototype.record = async function recordWithoutFence(batch) {
  const client = new Client({ connectionString: process.env['DATABASE_URL'] });
  await client.connect();
  const { rows } = await client.query<{ consumer_id: string; session: number }>(
    'select consumer_id, session::int from consumer_runtime where consumer_id = any ($1)',
    [batch.results.map(({ consumerId }) => consumerId)],
  );
  await client.end();
  const inForce = new Map(rows.map((row) => [row.consumer_id, row.session]));
  const results = batch.results.map((result) => ({
    ...result,
    session: inForce.get(result.consumerId) ?? result.session,
  }));
  return record.call(this, { ...batch, results });
};
