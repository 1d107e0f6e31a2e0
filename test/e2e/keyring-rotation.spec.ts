import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createVault, parseKeyring, type Vault } from '#libs/vault';
import { BANK, Customer } from '#test/support/customer';
import { Producers } from '#test/support/producers';
import { runSql } from '#test/support/run-sql';
import { achSequence } from '#test/support/status-changes';
import { newKey, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

/** Former versions of a consumer's credentials. The command is killed while it waits for the one in the middle. */
const FORMER = 60;
const FIRST_FORMER_VERSION = 1_000;
const MIDDLE_VERSION = FIRST_FORMER_VERSION + FORMER / 2;

function vaultOf(text: string): Vault {
  const parsed = parseKeyring(text);
  if (!parsed.ok) throw new Error(parsed.faults.join());
  return createVault(parsed.keyring);
}

/** Adds many former credential versions to a consumer, sealed with this key. */
async function addFormerVersions(databaseUrl: string, vault: Vault, consumerId: string): Promise<void> {
  const values = { signingSecret: 'whsec_former', username: 'bank', password: 'former' };
  const versions = Array.from({ length: FORMER }, (_, index) => FIRST_FORMER_VERSION + index);
  const sealed = await Promise.all(versions.map((version) => vault.seal({ consumerId, version }, values)));
  await runSql(
    databaseUrl,
    `insert into consumer_credentials (consumer_id, version, sealed, activate_at)
     select $1, v, s, now() - interval '1 year' from unnest($2::integer[], $3::text[]) t (v, s)`,
    [consumerId, versions, sealed],
  );
}

describe('keyring rotation', () => {
  const [old, next] = [newKey('k1'), newKey('k2')];
  const both = { SECRETS_KEYRING: `${next},${old}` };
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend: 'redis', keyring: old });
  });
  afterAll(() => system.stop());

  const reencrypted = async (): Promise<number> => {
    const [row] = await runSql<{ count: number }>(
      system.databaseUrl,
      "select count(*)::integer as count from audit_log where action = 'credentials.reencrypted'",
    );
    return row?.count ?? 0;
  };
  const run = async (
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<{ code: number | null; output: string }> => {
    const command = await system.startCommand('reencrypt', args, env);
    const { code } = await command.exited;
    return { code, output: command.output };
  };

  test('a keyring rotation under traffic, with a killed re-encryption, holds and refuses no delivery', async () => {
    const { client } = system;
    const [acme, rotating] = [await Customer.onboard(client), await Customer.onboard(client)];
    await addFormerVersions(system.databaseUrl, vaultOf(old), acme.consumerId);
    function* changes() {
      while (true) for (const { company } of [acme, rotating]) yield* achSequence(company, randomUUID());
    }
    const producers = Producers.start(client, 1, changes);
    await producers.waitForAccepted(5);

    // One process after the other gets the keyring with the new key first.
    const [first] = system.workers;
    await system.startWorker(both);
    await first?.kill();
    await system.api.kill();
    await system.replaceApi(both);
    expect(await run(['--dry-run'], both)).toEqual({
      code: 0,
      output: [
        'the keyring has k2, k1; k2 is the newest',
        `to re-encrypt: ${FORMER + 2} versions of credentials`,
        `in use: k1, by ${FORMER + 2} versions of credentials: keep it`,
        '',
      ].join('\n'),
    });

    const cutOver = producers
      .waitForAccepted(1)
      .then(() => client.addCredentials(rotating.consumerId, { ...BANK, signingSecret: 'whsec_the_second' }));
    const holder = new Client({ connectionString: system.databaseUrl });
    await holder.connect();
    try {
      await holder.query('begin');
      const { rows } = await holder.query<{ pid: number }>(
        'select pg_backend_pid() as pid from consumer_credentials where version = $1 for update',
        [MIDDLE_VERSION],
      );
      const killed = await system.startCommand('reencrypt', [], both);
      const ofBlocked = (what: string) =>
        runSql(
          system.databaseUrl,
          `select ${what} from pg_stat_activity where $1 = any(pg_blocking_pids(pid))`,
          [rows[0]?.pid],
        );
      await waitUntil(async () => (await ofBlocked('pid')).length > 0, {
        what: 'the command to reach the locked version',
      });
      await killed.end('SIGKILL');
      // PostgreSQL would finish the statement of the killed command.
      await ofBlocked('pg_terminate_backend(pid, 10000)');
    } finally {
      await holder.end();
    }
    const done = await reencrypted();
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(FORMER);
    await cutOver;
    rotating.setSecret('whsec_the_second');

    const resumed = await run([], both);
    expect(resumed.code).toBe(0);
    expect(resumed.output).toContain(
      `re-encrypted: ${FORMER + 2 - done} versions of credentials; left: 0 versions of credentials\n`,
    );
    expect(resumed.output).toContain('not in use: k1; remove it');
    expect(await reencrypted()).toBe(FORMER + 2);

    // The second worker has a keyring without the old key.
    const [second] = system.workers;
    await system.startWorker({ SECRETS_KEYRING: next });
    await second?.kill();
    const rotatedBefore = rotating.arrivals.length;
    await producers.waitForAccepted(20);
    const accepted = await producers.finish();
    const of = (consumerId: string) =>
      accepted.filter(({ deliveries }) => deliveries.some((delivery) => delivery.consumerId === consumerId));
    await acme.waitForAcknowledged(of(acme.consumerId));
    await rotating.waitForAcknowledged(of(rotating.consumerId));
    expect(new Set(acme.arrivals.map(({ verdict }) => verdict))).toEqual(new Set(['verified']));
    const rotated = rotating.arrivals.slice(rotatedBefore);
    expect(new Set(rotated.map(({ verdict }) => verdict))).toEqual(new Set(['verified']));
    const audit = await runSql(
      system.databaseUrl,
      "select from audit_log where action = 'consumer.secret_fault'",
    );
    expect(audit).toEqual([]);
  });

  test('re-encryption exits with an error status while a version cannot be decrypted with any key', async () => {
    const { client } = system;
    const undecryptable = await Customer.onboard(client);
    await runSql(
      system.databaseUrl,
      'update consumer_credentials set sealed = $2 where consumer_id = $1 and version = 1',
      [
        undecryptable.consumerId,
        await vaultOf(newKey('lost')).seal(
          { consumerId: undecryptable.consumerId, version: 1 },
          { signingSecret: 's', username: 'u', password: 'p' },
        ),
      ],
    );
    const { code, output } = await run([], both);
    expect(code).toBe(1);
    expect(output).toContain('re-encrypted: 0 versions of credentials; left: 1 version of credentials\n');
    expect(output).toContain('in use: lost, by 1 version of credentials: it is not in the keyring\n');
    expect(output).toContain(
      `cannot be opened: "${undecryptable.company}": credentials 1 of consumer ${undecryptable.consumerId}, sealed with key "lost"`,
    );
    expect(output).not.toContain('meanwhile');
  });
});
