import { beforeEach, describe, expect, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { addCredentials, ChannelsRepository, type Queryable } from '#libs/database';
import {
  createChannelVault,
  createCredentialCache,
  createVault,
  parseKeyring,
  type ChannelVault,
  type Keyring,
  type Vault,
} from '#libs/vault';
import { sql, type KyselyPlugin } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { addConsumer, startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { newKey } from '#test/support/system';
import { reencryptChannels } from '#apps/api/src/resources/channels/reencrypt-channels';
import {
  keysInUse,
  reencryptCredentials,
} from '#apps/api/src/resources/consumers/credentials/reencrypt-credentials';
import { AUDIT } from '#test/support/actor';
const RUN = { dryRun: false, onDone: (): void => undefined };
const [OLD, NEW, STRAY] = [newKey('old'), newKey('new'), newKey('stray')];
const before = vaultOf(OLD);
const rolling = vaultOf(`${NEW},${OLD}`);
const after = vaultOf(NEW);

const dispatcher = await startDispatcherInProcess();

function keyringOf(text: string): Keyring {
  const parsed = parseKeyring(text);
  if (!parsed.ok) throw new Error(parsed.faults.join());
  return parsed.keyring;
}

function vaultOf(text: string): Vault {
  return createVault(keyringOf(text));
}

function channelVaultOf(text: string): ChannelVault {
  return createChannelVault(keyringOf(text));
}

const secretOf = (consumerId: string, version: number): string => `whsec_${consumerId}_${String(version)}`;

const seal = (vault: Vault, consumerId: string, version: number): Promise<string> =>
  vault.seal(
    { consumerId, version },
    { signingSecret: secretOf(consumerId, version), username: 'bank', password: 'p' },
  );

/** The key id of every stored version, and its secret as this vault opens it. */
async function openAll(vault: Vault): Promise<{ kid: string | null; secret: string; expected: string }[]> {
  const { rows } = await sql<{ consumerId: string; version: number; sealed: string }>`
    select consumer_id as "consumerId", version, sealed from consumer_credentials order by 1, 2`.execute(
    dispatcher.db,
  );
  return Promise.all(
    rows.map(async ({ consumerId, version, sealed }) => ({
      kid: vault.keyIdOf(sealed),
      secret: (await vault.open({ consumerId, version }, sealed)).signingSecret,
      expected: secretOf(consumerId, version),
    })),
  );
}

async function audited(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from audit_log where action = 'credentials.reencrypted'`.execute(
    dispatcher.db,
  );
  return rows[0]?.count ?? 0;
}

/** Fails after so many answers, like a process that is killed then: uncommitted changes are rolled back. */
function failingAfter(statements: number): Queryable {
  let left = statements;
  const failing: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('killed')) : Promise.resolve(result);
    },
  };
  return dispatcher.db.withPlugin(failing);
}

describe('re-encryption to the newest key', () => {
  let consumers: string[];
  beforeEach(async () => {
    await sql`delete from consumer_credentials`.execute(dispatcher.db);
    await sql`update consumers set deleted_at = now()`.execute(dispatcher.db);
    consumers = [];
    for (let index = 0; index < 3; index += 1) {
      const id = await addConsumer(dispatcher);
      consumers.push(id);
      for (const version of [1, 2]) {
        await sql`
          insert into consumer_credentials (consumer_id, version, sealed, activate_at)
          values (${id}, ${version}, ${await seal(before, id, version)}, now() - interval '1 day' / ${version}::integer)
          on conflict (consumer_id, version) do update set sealed = excluded.sealed, activate_at = excluded.activate_at`.execute(
          dispatcher.db,
        );
      }
      await sql`update consumers set last_credential_version = 2 where id = ${id}`.execute(dispatcher.db);
    }
    // Credentials of a removed consumer are re-encrypted, too.
    await sql`update consumers set deleted_at = now() where id = ${consumers[2]}`.execute(dispatcher.db);
  });

  it('a re-encryption killed after any statement loses nothing, and the next run does the rest once', async () => {
    let wasCutOff = true;
    for (let statements = 0; wasCutOff; statements += 1) {
      const earlier = await audited();
      wasCutOff = await reencryptCredentials(failingAfter(statements), rolling, RUN).then(
        () => false,
        () => true,
      );
      const between = await openAll(rolling);
      expect(between.map(({ secret }) => secret)).toEqual(between.map(({ expected }) => expected));
      const done = between.filter(({ kid }) => kid === 'new').length;
      expect((await audited()) - earlier).toBe(done);

      expect(await reencryptCredentials(dispatcher.db, rolling, RUN)).toEqual({
        done: 6 - done,
        unreadable: [],
      });
      expect((await openAll(after)).map(({ kid }) => kid)).toEqual(Array.from({ length: 6 }, () => 'new'));
      expect((await audited()) - earlier).toBe(6);
      for (const consumerId of consumers) {
        for (const version of [1, 2]) {
          await sql`update consumer_credentials set sealed = ${await seal(before, consumerId, version)}
            where consumer_id = ${consumerId} and version = ${version}`.execute(dispatcher.db);
        }
      }
      expect(statements).toBeLessThan(30);
    }
  });

  it('two concurrent re-encryptions move each version once', async () => {
    const earlier = await audited();
    const runs = await Promise.all([1, 2].map(() => reencryptCredentials(dispatcher.db, rolling, RUN)));
    expect(runs.map(({ done }) => done).reduce((one, other) => one + other)).toBe(6);
    expect((await audited()) - earlier).toBe(6);
    await openAll(after);
  });

  it('a re-encryption during cut-overs loses no credentials, and concurrent reads can open all of them', async () => {
    const over = new AbortController();
    const cutOvers = consumers.slice(0, 2).map(async (consumerId) => {
      for (let cutOver = 0; cutOver < 15; cutOver += 1) {
        await addCredentials(dispatcher.db, consumerId, {
          activateAt: null,
          createdBy: 'test',
          seal: async (version, inForce) => {
            await rolling.open({ consumerId, version: inForce.version }, inForce.sealed);
            // A process that still has the old keyring seals with the old key.
            const sealed = await seal(cutOver % 2 === 0 ? rolling : before, consumerId, version);
            return { sealed, clientCertificates: inForce.clientCertificates };
          },
          audit: () => AUDIT,
        });
      }
    });
    const reads = (async () => {
      let count = 0;
      while (!over.signal.aborted) {
        const cache = createCredentialCache({
          vault: rolling,
          load: async (consumerId, version) => {
            const { rows } = await sql<{ sealed: string }>`select sealed from consumer_credentials
              where consumer_id = ${consumerId} and version = ${version}`.execute(dispatcher.db);
            return rows[0]?.sealed ?? '';
          },
        });
        for (const consumerId of consumers) {
          expect((await cache.get(consumerId, 1)).signingSecret).toBe(secretOf(consumerId, 1));
          count += 1;
        }
      }
      return count;
    })();
    const work = Promise.all(cutOvers).finally(() => over.abort());
    while (!over.signal.aborted) await reencryptCredentials(dispatcher.db, rolling, RUN);
    await work;
    expect(await reads).toBeGreaterThan(0);
    await reencryptCredentials(dispatcher.db, rolling, RUN);
    const all = await openAll(after);
    expect(all).toHaveLength(6 + 2 * 15);
    expect(all.map(({ secret }) => secret)).toEqual(all.map(({ expected }) => expected));
    expect(await keysInUse(dispatcher.db, rolling)).toEqual(new Map([['new', 36]]));
  });

  it('a re-encryption skips credentials that it cannot open, reports each with advice, and continues', async () => {
    const [first = '', second = '', removed = ''] = consumers;
    const set = (consumerId: string, version: number, sealed: string) =>
      sql`update consumer_credentials set sealed = ${sealed}
        where consumer_id = ${consumerId} and version = ${version}`.execute(dispatcher.db);
    await set(first, 2, await seal(vaultOf(STRAY), first, 2));
    await set(second, 1, await seal(vaultOf(`new:${randomBytes(32).toString('base64')}`), second, 1));
    await set(removed, 1, 'no jwe');

    const { done, unreadable } = await reencryptCredentials(dispatcher.db, rolling, RUN);
    expect(done).toBe(3);
    expect(unreadable.toSorted((a, b) => (a.kid ?? '').localeCompare(b.kid ?? ''))).toEqual([
      {
        kid: null,
        advice: `"Acme": credentials 1 of consumer ${removed}, sealed with an unreadable key id, cannot be opened: the stored value is no JWE; issue new credentials (nothing is sent with them any more)`,
      },
      {
        kid: 'new',
        advice: `"Acme": credentials 1 of consumer ${second}, sealed with key "new", cannot be opened: it was altered, or the key under that id is another one now; restore either (nothing is sent with them any more)`,
      },
      {
        kid: 'stray',
        advice: `"Acme": credentials 2 of consumer ${first}, sealed with key "stray", cannot be opened: add that key to the keyring (it has new, old) or issue new credentials (its deliveries are, or will be, held)`,
      },
    ]);
    expect(await keysInUse(dispatcher.db, rolling)).toEqual(
      new Map([
        ['new', 4],
        ['stray', 1],
        [null, 1],
      ]),
    );
  });

  it('a dry run of a re-encryption changes nothing', async () => {
    const earlier = await audited();
    expect(await reencryptCredentials(dispatcher.db, rolling, { ...RUN, dryRun: true })).toMatchObject({
      done: 6,
    });
    expect(await keysInUse(dispatcher.db, rolling)).toEqual(new Map([['old', 6]]));
    expect(await audited()).toBe(earlier);
  });

  it('the secrets of channels are encrypted with the newest key, too, and an unreadable one is reported', async () => {
    const channels = new ChannelsRepository(dispatcher.db);
    const [sealing, opening] = [channelVaultOf(OLD), channelVaultOf(NEW)];
    const ids = [uuidv7(), uuidv7()] as const;
    for (const id of ids) {
      const sealed = await sealing.seal(id, { url: `https://hooks.example/${id}` });
      await channels.insert({ id, name: 'On call', kind: 'slack', sealed }, AUDIT);
    }
    await sql`update channels set sealed = 'no jwe' where id = ${ids[1]}`.execute(dispatcher.db);
    const unreadable = [{ kid: null, advice: expect.stringContaining('"On call"') }];

    expect(await reencryptChannels(dispatcher.db, channelVaultOf(`${NEW},${OLD}`), { dryRun: true })).toEqual(
      {
        done: 1,
        unreadable,
      },
    );
    expect(await keysInUse(dispatcher.db, rolling)).toEqual(
      new Map([
        ['old', 7],
        [null, 1],
      ]),
    );
    expect(await reencryptChannels(dispatcher.db, channelVaultOf(`${NEW},${OLD}`), RUN)).toEqual({
      done: 1,
      unreadable,
    });
    const row = await channels.find(ids[0]);
    expect((await opening.open(ids[0], row?.sealed ?? '')).url).toBe(`https://hooks.example/${ids[0]}`);
  });
});
