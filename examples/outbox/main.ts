import 'reflect-metadata';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '#apps/standalone/src/free-port';
import { startStandalone } from '#apps/standalone/src/start-standalone';
import { recordStatus } from '#examples/outbox/record-status';
import { processEnvironment, runProcess } from '#libs/config';
import { createClient, type DispatcherClient } from '#packages/client';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * `npm run outbox` starts the stand-alone dispatcher and the relay, and runs transactions of a payment system: one is
 * rolled back, and the relay is killed meanwhile. Ends with 0 when every committed status is accepted once, in order.
 */
async function start(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dispatcher-outbox-'));
  chmodSync(folder, 0o711);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const standalone = await startStandalone({
    LOG_LEVEL: 'error',
    PORT: String(await freePort()),
    DATA_DIR: folder,
    QUEUE_NAMESPACE: `outbox_${process.pid.toString(36)}_${Date.now().toString(36)}`,
    ...processEnvironment(),
    DATABASE_URL: '',
    DATABASE_URL_FILE: '',
  });
  print(`The dispatcher is up on ${standalone.url}.`);
  const admin = createClient({ baseUrl: standalone.url, apiKey: standalone.adminApiKey });
  const { data: producer } = await admin.POST('/v1/api-keys', {
    body: { name: 'payment-system', roles: ['producer'] },
  });
  if (producer === undefined) throw new Error('The dispatcher made no key for the producer.');
  const databaseUrl = await paymentDatabase(standalone.databaseUrl);
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();

  const env = { ...processEnvironment(), OUTBOX_DATABASE_URL: databaseUrl, API: standalone.url };
  const startRelay = (): ChildProcess => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'relay-process.ts')], {
      env: { ...env, PRODUCER_KEY: producer.key },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    process.once('exit', () => child.kill('SIGKILL'));
    return child;
  };
  const killed = startRelay();
  const committed = await runTransactions(database, async () => {
    while ((await countRows(database, 'sent_at is not null')) === 0) await pause(20);
    killed.kill('SIGKILL');
    print('The relay is killed.');
  });
  print('Another relay continues.');
  const relay = startRelay();
  while ((await countRows(database, 'sent_at is null')) > 0) await pause(20);
  relay.kill('SIGTERM');
  await once(relay, 'exit');
  await database.end();

  let isRight = true;
  const reader = createClient({ baseUrl: standalone.url, apiKey: producer.key });
  for (const [paymentId, statuses] of committed) {
    const accepted = await acceptedStatuses(reader, paymentId, statuses.length);
    print(`${paymentId}: committed ${statuses.join(', ')}; accepted ${accepted.join(', ')}`);
    isRight &&= accepted.join() === statuses.join();
  }
  await standalone.stop();
  process.exit(isRight ? 0 : 1);
}

/** Creates the payment system's own database, with its payments and the outbox. @returns its URL */
async function paymentDatabase(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl);
  url.pathname = '/payment_system';
  for (const [connectionString, statements] of [
    [serverUrl, 'create database payment_system'],
    [url.href, 'create table wires (payment_id text primary key, status text not null)'],
    [url.href, readFileSync(join(import.meta.dirname, 'outbox.sql'), 'utf8')],
  ] as const) {
    const client = new Client({ connectionString });
    await client.connect();
    await client.query(statements);
    await client.end();
  }
  return url.href;
}

/** Runs 20 transactions; after the first 10 it calls `halfway`, and rolls one back. @returns the committed statuses */
async function runTransactions(
  database: Client,
  halfway: () => Promise<void>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const committed = new Map<string, string[]>();
  const payments = Array.from({ length: 5 }, (_, index) => `WIRE-${String(index + 1)}`);
  for (const status of ['Review', 'Exception', 'Send Ready', 'Complete']) {
    if (status === 'Send Ready') {
      await halfway();
      await recordStatus(database, { paymentId: 'WIRE-1', status: 'Reject' }, () => {
        throw new Error('the account was closed meanwhile');
      }).catch((error: Error) => print(`WIRE-1: Reject is rolled back: ${error.message}`));
    }
    for (const paymentId of payments) {
      await recordStatus(database, { paymentId, status });
      committed.set(paymentId, [...(committed.get(paymentId) ?? []), status]);
    }
  }
  return committed;
}

async function countRows(
  database: Client,
  which: 'sent_at is null' | 'sent_at is not null',
): Promise<number> {
  const { rows } = await database.query<{ found: number }>(
    `select count(*)::int as found from outbox where ${which}`,
  );
  return rows[0]?.found ?? 0;
}

/** The statuses of a payment in the order of their acceptance. The list shows an event a moment after its acceptance. */
async function acceptedStatuses(reader: DispatcherClient, paymentId: string, expected: number) {
  for (const deadlineMs = Date.now() + 30_000; ; await pause(100)) {
    const { data } = await reader.GET('/v1/events', { params: { query: { paymentId } } });
    const statuses = (data?.events ?? []).map(({ status }) => status).toReversed();
    if (statuses.length >= expected || Date.now() > deadlineMs) return statuses;
  }
}

runProcess(start);
