import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordStatus } from '#examples/outbox/record-status';
import { acceptedStatuses } from '#test/support/accepted-statuses';
import { newProducer } from '#test/support/new-producer';
import { observedProxy } from '#test/support/observed-proxy';
import { RunningCommand } from '#test/support/running-command';
import { runSql } from '#test/support/run-sql';
import { WIRE_SEQUENCE } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';
import { waitUntil } from '#test/support/wait-until';

const PROJECT = join(import.meta.dirname, '../..');

let system: System;
/** The payment system's own database. */
let outbox: TestDatabase;
let relays: RunningCommand[] = [];
let clients: Client[] = [];
beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
});
beforeEach(async () => {
  outbox = await createTestDatabase();
  await runSql(outbox.url, 'create table wires (payment_id text primary key, status text not null)');
  await runSql(outbox.url, await readFile(join(PROJECT, 'examples/outbox/outbox.sql'), 'utf8'));
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.end('SIGKILL')));
  await Promise.all(clients.map((client) => client.end()));
  [relays, clients] = [[], []];
  await outbox.drop();
});
afterAll(() => system.stop());

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: outbox.url });
  clients.push(client);
  await client.connect();
  return client;
}

async function startRelay(api: string, key: string): Promise<RunningCommand> {
  const { PATH } = process.env;
  const relay = await RunningCommand.start({
    file: process.execPath,
    args: [join(PROJECT, 'examples/outbox/relay-process.ts')],
    cwd: PROJECT,
    env: { PATH, OUTBOX_DATABASE_URL: outbox.url, API: api, PRODUCER_KEY: key },
  });
  relays.push(relay);
  return relay;
}

const countRows = async (which: string): Promise<number> =>
  (await runSql(outbox.url, `select from outbox where ${which}`)).length;

const outputs = (): string => relays.map(({ output }) => output).join('\n---\n');

const hasSentAll = (): Promise<true> =>
  waitUntil(async () => (await countRows('sent_at is null')) === 0, {
    what: () => `every row to be sent. The relays wrote:\n${outputs()}`,
    deadlineMs: 120_000,
  });

/** The relay writes this line after it has marked the rows, so a marked row does not mean that the line is here. */
const hasPosted = (relay: RunningCommand): Promise<true> =>
  waitUntil(() => relay.output.includes('"event":"outbox.posted","sent":1'), {
    what: () => `the relay to have posted an event. It wrote:\n${relay.output}`,
  });

describe('outbox and relay', () => {
  test('each committed row is accepted once and in order when the relay and the api are killed after a commit', async () => {
    const { name, key } = await newProducer(system.client);
    let restarted: Promise<unknown> = Promise.resolve();
    const proxy = await observedProxy(
      () => system.api.baseUrl,
      async (number) => {
        // The api has committed in both cases, and no row is marked.
        if (number === 2) await Promise.all(relays.map((relay) => relay.end('SIGKILL')));
        if (number === 2) await startRelay(proxy.url, key);
        if (number !== 4) return;
        await system.api.kill('SIGKILL');
        restarted = system.replaceApi();
        throw new Error('the answer is lost');
      },
    );
    await startRelay(proxy.url, key);

    const payments = Array.from({ length: 12 }, (_, index) => `W-${String(index)}`);
    await Promise.all(
      payments.map(async (paymentId) => {
        const database = await connected();
        for (const status of WIRE_SEQUENCE) {
          await expect(
            recordStatus(database, { paymentId, status: 'Error' }, () => {
              throw new Error('rolled back');
            }),
          ).rejects.toThrow('rolled back');
          await recordStatus(database, { paymentId, status });
        }
      }),
    );
    await hasSentAll();
    await restarted;

    expect(relays).toHaveLength(2);
    expect(await acceptedStatuses(system.databaseUrl, name)).toEqual(
      Object.fromEntries(payments.map((payment) => [payment, [...WIRE_SEQUENCE]])),
    );
    const marked = await runSql(outbox.url, 'select notification_id::text as id from outbox order by id');
    const events = await runSql(
      system.databaseUrl,
      'select id::text from events where producer = $1 order by id::text',
      [name],
    );
    expect(marked).toEqual(events);
  });

  test('a refused row holds the later events of its payment only, until a person corrects it', async () => {
    const { name, key } = await newProducer(system.client);
    const database = await connected();
    for (const [paymentId, status] of [
      ['W-1', 'Review'],
      ['W-1', 'Done'],
      ['W-1', 'Complete'],
      ['W-2', 'Review'],
    ] as const)
      await recordStatus(database, { paymentId, status });
    const relay = await startRelay(system.api.baseUrl, key);
    await waitUntil(async () => (await countRows('refused_at is not null')) === 1, {
      what: () => `a refused row. The relay wrote:\n${relay.output}`,
    });
    await recordStatus(database, { paymentId: 'W-3', status: 'Review' });
    await waitUntil(async () => (await countRows('sent_at is not null')) === 3, {
      what: () => `three sent rows. The relay wrote:\n${relay.output}`,
    });
    expect(
      await runSql(
        outbox.url,
        "select refusal from outbox where payment = 'wire:W-1' and refused_at is not null",
      ),
    ).toEqual([{ refusal: expect.stringContaining('data.wireEventInfo.status must be one of') }]);
    expect(await acceptedStatuses(system.databaseUrl, name)).toEqual({
      'W-1': ['Review'],
      'W-2': ['Review'],
      'W-3': ['Review'],
    });

    await runSql(
      outbox.url,
      `update outbox set event = replace(event::text, 'Done', 'Exception')::json, refused_at = null, refusal = null
        where refused_at is not null`,
    );
    await hasSentAll();
    expect(await acceptedStatuses(system.databaseUrl, name)).toMatchObject({
      'W-1': ['Review', 'Exception', 'Complete'],
    });
  });

  test('no row is set aside while the api refuses the key of the relay', async () => {
    await recordStatus(await connected(), { paymentId: 'W-1', status: 'Review' });
    const relay = await startRelay(system.api.baseUrl, 'pnd_unknown');
    await waitUntil(() => /"undecided":1,"reason":"HTTP 401/.test(relay.output), {
      what: () => `the refusal of the key in:\n${relay.output}`,
    });
    expect(await countRows('refused_at is null and sent_at is null')).toBe(1);
    expect(await relay.end('SIGTERM')).toEqual({ code: 0, signal: null });

    await startRelay(system.api.baseUrl, (await newProducer(system.client)).key);
    await hasSentAll();
  });

  test('a second relay posts nothing until the first one ends', async () => {
    const { key } = await newProducer(system.client);
    const first = await startRelay(system.api.baseUrl, key);
    await waitUntil(() => first.output.includes('outbox.relaying'), {
      what: 'the first relay to have its turn',
    });
    const second = await startRelay(system.api.baseUrl, key);
    await waitUntil(() => second.output.includes('outbox.standby'), { what: 'the second relay to wait' });
    await recordStatus(await connected(), { paymentId: 'W-1', status: 'Review' });
    await hasPosted(first);
    expect(second.output).not.toContain('outbox.posted');

    await first.end('SIGKILL');
    await recordStatus(await connected(), { paymentId: 'W-2', status: 'Review' });
    await hasPosted(second);
    expect(await countRows('sent_at is null')).toBe(0);
  });

  test('a transaction waits for an earlier one with an event of the same payment, and not for other payments', async () => {
    const insert = 'insert into outbox (payment, event) values ($1, $2) returning position::int';
    const [first, second, other] = await Promise.all([connected(), connected(), connected()]);
    await first.query('begin');
    await first.query(insert, ['wire:W-1', '{}']);
    const later = second.query<{ position: number }>(insert, ['wire:W-1', '{}']);
    await waitUntil(
      async () =>
        (
          await runSql(
            outbox.url,
            "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
          )
        ).length === 1,
      { what: 'the second transaction to wait for the first' },
    );
    await other.query(insert, ['wire:W-2', '{}']);
    await first.query('commit');
    await later;
    expect(await runSql(outbox.url, 'select payment from outbox order by position')).toEqual([
      { payment: 'wire:W-1' },
      { payment: 'wire:W-2' },
      { payment: 'wire:W-1' },
    ]);
  });

  test('the relay deletes rows that were sent more than 7 days ago, and no others', async () => {
    await runSql(
      outbox.url,
      `insert into outbox (payment, event, sent_at, notification_id)
       select 'wire:W-1', '{}', now() - age, gen_random_uuid()
         from unnest(array[interval '6 days 23 hours', interval '7 days 1 hour']) as age, generate_series(1, 1500)`,
    );
    const relay = await startRelay(system.api.baseUrl, 'pnd_unused');
    await waitUntil(() => relay.output.includes('"event":"outbox.cleaned","deleted":1500'), {
      what: () => `the deletion in:\n${relay.output}`,
    });
    expect(await countRows("sent_at > now() - interval '7 days'")).toBe(1_500);
    expect(await countRows('true')).toBe(1_500);
  });
});

test('npm run outbox shows that each committed status is accepted once and in order', async () => {
  const { PATH, HOME, TMPDIR } = process.env;
  const example = await RunningCommand.start({
    file: 'npm',
    args: ['run', '--silent', 'outbox'],
    cwd: PROJECT,
    env: { PATH, HOME, TMPDIR },
  });
  expect({ exit: await example.exited, output: example.output }).toEqual({
    exit: { code: 0, signal: null },
    output: expect.stringMatching(/\nThe relay is killed\.\nWIRE-1: Reject is rolled back: /),
  });
  expect(example.output.match(/^WIRE-\d: committed (.+); accepted \1$/gm)).toHaveLength(5);
});
