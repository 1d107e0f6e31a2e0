import { expect, it } from 'vitest';
import fc from 'fast-check';
import {
  activateCredentials,
  addCredentials,
  credentialVersions,
  dropCredentials,
  fetchDeliveries,
  clearSecretFaults,
  noteSecretFault,
  type CredentialChange,
} from '#libs/database';
import { sql } from 'kysely';
import { addConsumer, startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { AUDIT } from '#test/support/actor';
const HOUR_MS = 3_600_000;

const dispatcher = await startDispatcherInProcess();

const add = (consumerId: string, activateAt: Date | null): Promise<CredentialChange> =>
  addCredentials(dispatcher.db, consumerId, {
    activateAt,
    createdBy: 'test',
    seal: (version, inForce) =>
      Promise.resolve({ sealed: `${version} after ${inForce.version}`, clientCertificates: [] }),
    audit: () => AUDIT,
  });
const activate = (consumerId: string, version: number): Promise<CredentialChange> =>
  activateCredentials(dispatcher.db, consumerId, version, () => AUDIT);
const drop = (consumerId: string, version: number): Promise<CredentialChange> =>
  dropCredentials(dispatcher.db, consumerId, version, AUDIT);

/** The version in force. Fetching and retrying broken credentials use separate rules and must agree. */
async function versionInForce(consumerId: string): Promise<number | undefined> {
  const [fetched] = await fetchDeliveries(dispatcher.pipeline, [
    { consumerId, session: null, wanted: 0, inFlight: [] },
  ]);
  await noteSecretFault(dispatcher.db, consumerId, 'x');
  let tried: number | undefined;
  await clearSecretFaults(
    dispatcher.db,
    (_consumerId, version) => {
      tried = version;
      return Promise.resolve();
    },
    consumerId,
  );
  expect(tried).toBe(fetched?.consumer.credentialVersion);
  return tried;
}

type Step = { do: 'add' | 'plan' } | { do: 'activate' | 'drop'; version: number };
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constantFrom('add' as const, 'plan' as const) }),
    fc.record({
      do: fc.constantFrom('activate' as const, 'drop' as const),
      version: fc.integer({ min: 1, max: 6 }),
    }),
  ),
  { maxLength: 12 },
);

/** The versions that the interface promises after each step. */
class Model {
  current = 1;
  coming: number | null = null;
  known = new Set([1]);
  private highest = 1;

  apply(step: Step): CredentialChange['kind'] {
    switch (step.do) {
      case 'add':
      case 'plan':
        if (this.coming !== null) return 'one_is_coming';
        this.highest += 1;
        this.known.add(this.highest);
        if (step.do === 'add') this.current = this.highest;
        else this.coming = this.highest;
        return 'changed';
      case 'activate':
        if (!this.known.has(step.version)) return 'no_version';
        if (step.version === this.current) return 'unchanged';
        if (step.version === this.coming) this.coming = null;
        this.current = step.version;
        return 'changed';
      case 'drop':
        if (!this.known.has(step.version)) return 'no_version';
        if (step.version !== this.coming) return 'not_coming';
        this.known.delete(step.version);
        this.coming = null;
        return 'changed';
    }
  }
}

const applyStep = (consumerId: string, step: Step): Promise<CredentialChange> => {
  switch (step.do) {
    case 'add':
      return add(consumerId, null);
    case 'plan':
      return add(consumerId, new Date(Date.now() + HOUR_MS));
    case 'activate':
      return activate(consumerId, step.version);
    case 'drop':
      return drop(consumerId, step.version);
  }
};

it('a list and a fetch agree on the credential version in force after any steps, and no number is reused', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const consumerId = await addConsumer(dispatcher);
      const model = new Model();
      for (const step of given) {
        expect([step, (await applyStep(consumerId, step)).kind]).toEqual([step, model.apply(step)]);
        const versions = await credentialVersions(dispatcher.db, consumerId);
        expect(versions.map(({ version }) => version)).toEqual([...model.known].toSorted((a, b) => b - a));
        const inState = (state: string) => versions.filter((v) => v.state === state).map((v) => v.version);
        expect([inState('current'), inState('coming')]).toEqual([
          [model.current],
          model.coming === null ? [] : [model.coming],
        ]);
        expect(await versionInForce(consumerId)).toBe(model.current);
      }
    }),
    { numRuns: 25 },
  );
});

it('the credential version that was activated last is in force, even around a planned activation', async () => {
  const consumerId = await addConsumer(dispatcher);
  await add(consumerId, new Date(Date.now() + 5));
  await activate(consumerId, 1);
  await activate(consumerId, 2);
  expect(await versionInForce(consumerId)).toBe(2);
});

it('a failed sealing stores no credential version and uses up no version number', async () => {
  const consumerId = await addConsumer(dispatcher);
  const failing = addCredentials(dispatcher.db, consumerId, {
    activateAt: null,
    createdBy: 'test',
    seal: () => Promise.reject(new Error('no key')),
    audit: () => AUDIT,
  });
  await expect(failing).rejects.toThrow('no key');
  expect(await add(consumerId, null)).toMatchObject({ version: { version: 2 } });
});

it('a removed consumer has no credential versions and accepts no change of them', async () => {
  const consumerId = await addConsumer(dispatcher);
  await sql`update consumers set deleted_at = now() where id = ${consumerId}`.execute(dispatcher.db);
  expect(await credentialVersions(dispatcher.db, consumerId)).toEqual([]);
  expect([await add(consumerId, null), await activate(consumerId, 1), await drop(consumerId, 1)]).toEqual(
    Array.from({ length: 3 }, () => ({ kind: 'no_consumer' })),
  );
});
