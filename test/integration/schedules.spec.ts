import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase, SchedulesRepository, type ClaimedRun } from '#libs/database';
import { sql } from 'kysely';
import { createTestDatabase } from '#test/support/test-database';

const CLAIMERS = 6;
const RUNS = 25;
const NAMES = ['sweep', 'trim'];
const DONE = { everyMs: 0, error: null };

const database = await createTestDatabase();
const db = openDatabase({ url: database.url, poolSize: CLAIMERS });
const claimers = Array.from({ length: CLAIMERS }, () => new SchedulesRepository(db));
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const claimByAll = async (names: readonly string[]): Promise<ClaimedRun[]> =>
  (await Promise.all(claimers.map((claimer) => claimer.claimDue(names)))).flat();

async function oneClaim(name: string): Promise<ClaimedRun> {
  const [claimed, ...others] = await claimByAll([name]);
  if (claimed === undefined || others.length > 0) throw new Error('no process or several claimed it');
  return claimed;
}

describe('scheduled run', () => {
  it('one of several processes claims a scheduled run, and the next run is due when it has finished', async () => {
    await Promise.all(claimers.map((claimer) => claimer.register(NAMES)));
    for (let count = 0; count < RUNS; count += 1) {
      const claimed = await claimByAll(NAMES);
      expect(claimed.map(({ name }) => name).toSorted()).toEqual(NAMES);
      expect(await claimByAll(NAMES)).toEqual([]);
      for (const run of claimed) await claimers[0]?.finish(run, DONE);
    }
    const schedules = await db
      .selectFrom('schedules')
      .select(['name', 'runs', 'faults'])
      .orderBy('name')
      .execute();
    expect(schedules).toEqual(NAMES.map((name) => ({ name, runs: String(RUNS), faults: '0' })));
  });

  it('the scheduled run of a dead process is taken over when it expires, and its late result is ignored', async () => {
    await claimers[0]?.register(['orphan']);
    const dead = await oneClaim('orphan');
    await sql`update schedules set running_until = now() + interval '1 s' where name = 'orphan'`.execute(db);
    await claimers[0]?.keep(dead);
    const { rows } = await sql`
      select from schedules where name = 'orphan' and running_until > now() + interval '5 s'`.execute(db);
    expect(rows).toHaveLength(1);
    expect(await claimByAll(['orphan'])).toEqual([]);
    await sql`update schedules set running_until = now() - interval '1 s' where name = 'orphan'`.execute(db);
    const successor = await oneClaim('orphan');
    // The runs of the other test's schedules count as well.
    expect(successor.lastFinishedAt).toEqual(expect.any(Date));
    expect(successor.claimedAt.getTime()).toBeGreaterThan(dead.claimedAt.getTime());

    await claimers[0]?.finish(dead, { ...DONE, error: 'too late' });
    const row = () =>
      db.selectFrom('schedules').selectAll().where('name', '=', 'orphan').executeTakeFirstOrThrow();
    expect(await row()).toMatchObject({ runs: '0', last_error: null, run_id: successor.runId });
    await claimers[1]?.finish(successor, DONE);
    expect(await row()).toMatchObject({ runs: '1', faults: '0', run_id: null, running_until: null });
  });

  it('a scheduled run is not due before its interval has passed, unless it is hastened', async () => {
    await claimers[0]?.register(['hourly']);
    const run = await oneClaim('hourly');
    await claimers[0]?.finish(run, { ...DONE, everyMs: 3_600_000 });
    expect(await claimByAll(['hourly'])).toEqual([]);
    await claimers[0]?.hasten('hourly');
    expect(await oneClaim('hourly')).toMatchObject({ name: 'hourly' });
  });

  it('a scheduled run that is hastened while it runs is due again when it ends', async () => {
    await claimers[0]?.register(['asked']);
    const run = await oneClaim('asked');
    await claimers[1]?.hasten('asked');
    expect(await claimByAll(['asked'])).toEqual([]);
    await claimers[0]?.finish(run, { ...DONE, everyMs: 3_600_000 });
    const next = await oneClaim('asked');
    await claimers[0]?.finish(next, { ...DONE, everyMs: 3_600_000 });
    expect(await claimByAll(['asked'])).toEqual([]);
  });
});
