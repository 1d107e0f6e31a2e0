import { beforeEach, describe, expect, it } from 'vitest';
import { newId, type HealthState, type IssueKind } from '#libs/contracts';
import { ApiKeysRepository, IssuesRepository, type IssueRow } from '#libs/database';
import type { FoundIssue } from '#libs/policy';
import { sql } from 'kysely';
import { insertConsumer } from '#test/support/consumer-row';
import { everySchedule } from '#test/support/every-schedule';
import { SteppedConnection } from '#test/support/stepped-work';
import { fileDatabase } from '#test/support/file-database';
import { AUDIT } from '#test/support/actor';

const { url, db } = await fileDatabase();
const issues = new IssuesRepository(db);

let consumerId: string;
beforeEach(async () => {
  await sql`delete from health_issues`.execute(db);
  consumerId = await insertConsumer(db, { name: 'Acme' });
});

const issue = (kind: IssueKind, subject = ''): FoundIssue => ({
  consumerId,
  kind,
  subject,
  summary: `it is ${kind}`,
  advice: 'call',
});
const evaluate = (found: readonly FoundIssue[], state: HealthState = 'healthy') =>
  issues.evaluate(found, new Map([[consumerId, { state, failures: 0 }]]), new Date());
const all = (): Promise<IssueRow[]> => issues.list({}, { offset: 0, limit: 100 });
const states = async (): Promise<string[]> =>
  (await all()).map(({ kind, resolved_at, acknowledged_at }) =>
    [kind, resolved_at === null ? (acknowledged_at === null ? 'open' : 'acknowledged') : 'resolved'].join(
      ' ',
    ),
  );

/** Moves the last observation of all issues back. */
const age = (minutes: number) =>
  sql`update health_issues set last_seen_at = now() - make_interval(mins => ${minutes}::int)`.execute(db);

describe('evaluation of health issues', () => {
  it('a condition opens one issue with its words, and a repeated evaluation opens no second one', async () => {
    const { opened } = await evaluate([issue('down')], 'down');
    expect(opened).toEqual([{ id: expect.any(String), ...issue('down') }]);
    expect(await evaluate([issue('down')], 'down')).toEqual({ opened: [], ended: [] });
    expect(await all()).toMatchObject([
      { consumer_name: 'Acme', summary: 'it is down', advice: 'call', ended_at: null, resolved_at: null },
    ]);
  });

  it('every order of two concurrent evaluations opens one issue for a condition', async () => {
    const [one, other] = [new SteppedConnection(url, db), new SteppedConnection(url, db)];
    const evaluating = (connection: SteppedConnection) =>
      connection.begin((stepped) =>
        new IssuesRepository(stepped).evaluate(
          [issue('down')],
          new Map([[consumerId, { state: 'down', failures: 13 }]]),
          new Date(),
        ),
      );
    try {
      await everySchedule(async (schedule) => {
        await sql`delete from health_issues`.execute(db);
        const results = await schedule.both(evaluating(one), evaluating(other));
        expect(results.flatMap(({ opened }) => opened)).toHaveLength(1);
        expect(await states()).toEqual(['down open']);
      });
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  it('an issue is resolved automatically when its condition ends, and a new one is opened when it returns', async () => {
    const { opened } = await evaluate([issue('down')], 'down');
    expect(await evaluate([])).toEqual({ opened: [], ended: [] });
    await age(11);
    expect(await evaluate([])).toEqual({ opened: [], ended: [opened[0]?.id] });
    expect(await all()).toMatchObject([
      { ended_at: expect.any(Date), resolved_at: expect.any(Date), resolved_by: null },
    ]);
    await evaluate([issue('down')], 'down');
    expect(await states()).toEqual(['down open', 'down resolved']);
  });

  it('an ongoing condition is noted, so that its issue does not end after 10 minutes', async () => {
    await evaluate([issue('degraded')], 'degraded');
    await age(11);
    await evaluate([issue('degraded')], 'degraded');
    expect((await evaluate([])).ended).toEqual([]);
  });

  it('issues of the installation with different subjects are separate', async () => {
    const keys = [issue('api_key_expiring', 'a'), issue('api_key_expiring', 'b')].map((found) => ({
      ...found,
      consumerId: null,
    }));
    expect((await evaluate(keys)).opened).toHaveLength(2);
    expect((await evaluate(keys)).opened).toEqual([]);
    expect((await evaluate(keys.slice(0, 1))).ended).toHaveLength(1);
  });
});

describe('people and health issues', () => {
  it('an acknowledgement keeps name and note, and a second one replaces them', async () => {
    const { opened } = await evaluate([issue('down')], 'down');
    const id = opened[0]?.id ?? '';
    expect(await issues.acknowledge(id, 'called', AUDIT)).toBe(true);
    expect(await issues.find(id)).toMatchObject({ acknowledged_by: 'ann', note: 'called' });
    expect(await issues.acknowledge(id, null, { ...AUDIT, actor: 'bob' })).toBe(true);
    expect(await issues.find(id)).toMatchObject({ acknowledged_by: 'bob', note: null });
    expect(await states()).toEqual(['down acknowledged']);
  });

  it('an issue that a person resolves is not opened again before its condition has ended once', async () => {
    const { opened } = await evaluate([issue('dead_not_settled')]);
    const id = opened[0]?.id ?? '';
    expect(await issues.resolve(id, 'sent by file', AUDIT)).toBe(true);
    expect(await evaluate([issue('dead_not_settled')])).toEqual({ opened: [], ended: [] });
    await evaluate([]);
    expect(await issues.find(id)).toMatchObject({ resolved_by: 'ann', resolution: 'sent by file' });
    expect((await evaluate([issue('dead_not_settled')])).opened).toHaveLength(1);
  });

  it('a resolved or unknown issue is neither acknowledged nor resolved, and leaves no audit entry', async () => {
    const { opened } = await evaluate([issue('down')], 'down');
    const id = opened[0]?.id ?? '';
    await issues.resolve(id, 'done', { ...AUDIT, target: id });
    const entries = async (target: string) =>
      (await sql`select from audit_log where target = ${target}`.execute(db)).rows.length;
    const unknown = newId();
    for (const target of [id, unknown]) {
      expect(await issues.resolve(target, 'again', { ...AUDIT, target })).toBe(false);
      expect(await issues.acknowledge(target, null, { ...AUDIT, target })).toBe(false);
    }
    expect([await entries(id), await entries(unknown)]).toEqual([1, 0]);
  });

  it('the list has unresolved issues first, by severity and age, then the newest of the resolved ones', async () => {
    const kinds = async () => (await all()).map(({ kind }) => kind);
    for (const kind of ['certificate_expiring', 'dead_not_settled', 'degraded', 'down'] as const)
      await evaluate([issue(kind)], 'down');
    await sql`update health_issues set ended_at = null, resolved_at = null`.execute(db);
    expect(await kinds()).toEqual(['down', 'dead_not_settled', 'degraded', 'certificate_expiring']);
    for (const kind of ['down', 'degraded', 'dead_not_settled'] as const)
      await sql`update health_issues set resolved_at = now() where kind = ${kind}`.execute(db);
    expect(await kinds()).toEqual(['certificate_expiring', 'down', 'degraded', 'dead_not_settled']);
  });

  it('each filter of the list selects', async () => {
    await evaluate([issue('down'), issue('dead_not_settled')], 'down');
    const [down, dead] = await all();
    await issues.resolve(down?.id ?? '', 'done', AUDIT);
    await issues.acknowledge(dead?.id ?? '', null, AUDIT);
    expect((await all()).map(({ id }) => id)).toEqual([dead?.id, down?.id]);
    const ids = async (filter: Parameters<IssuesRepository['list']>[0]) =>
      (await issues.list(filter, { offset: 0, limit: 10 })).map(({ id }) => id);
    expect(await ids({ state: 'open' })).toEqual([]);
    expect(await ids({ state: 'unresolved' })).toEqual([dead?.id]);
    expect(await ids({ state: 'acknowledged' })).toEqual([dead?.id]);
    expect(await ids({ state: 'resolved' })).toEqual([down?.id]);
    expect(await ids({ kind: 'down' })).toHaveLength(1);
    expect(await ids({ consumerId: newId() })).toEqual([]);
    const soon = new Date(Date.now() + 60_000);
    expect([await ids({ from: soon }), (await ids({ to: soon })).length]).toEqual([[], 2]);
    expect(await issues.unresolved()).toEqual(new Map([[dead?.kind, 1]]));
  });

  it('resolved issues are removed after the retention, unresolved ones are not', async () => {
    await evaluate([issue('down'), issue('dead_not_settled')], 'down');
    await age(11);
    await evaluate([issue('dead_not_settled')]);
    expect(await issues.trim(90, 10)).toBe(0);
    await sql`update health_issues set ended_at = now() - interval '91 days' where ended_at is not null`.execute(
      db,
    );
    expect(await issues.trim(90, 10)).toBe(1);
    expect(await states()).toEqual(['dead_not_settled open']);
  });
});

describe('API keys that expire', () => {
  const insertKey = async (values: {
    name: string;
    days: number;
    usedDaysAgo: number | null;
    revoked?: boolean;
  }) => {
    const { name, days, usedDaysAgo, revoked = false } = values;
    await sql`
      insert into api_keys (id, name, roles, key_hash, consumer_id, expires_at, last_used_at, revoked_at)
      values (${newId()}, ${name}, '{consumer}', ${Buffer.from(newId())}, ${consumerId},
              now() + make_interval(days => ${days}::int), now() - make_interval(days => ${usedDaysAgo}::int),
              ${revoked ? sql`now()` : null})`.execute(db);
  };

  it('a key that is in use and expires within the time is found; an unused, revoked or expired one is not', async () => {
    await insertKey({ name: 'soon', days: 13, usedDaysAgo: 1 });
    await insertKey({ name: 'later', days: 15, usedDaysAgo: 1 });
    await insertKey({ name: 'expired', days: -1, usedDaysAgo: 2 });
    await insertKey({ name: 'unused', days: 13, usedDaysAgo: null });
    await insertKey({ name: 'forgotten', days: 13, usedDaysAgo: 31 });
    await insertKey({ name: 'revoked', days: 13, usedDaysAgo: 1, revoked: true });
    const keys = new ApiKeysRepository(db);
    const names = async (of: string | null) =>
      (await keys.expiring(14 * 86_400_000, of)).map(({ name }) => name);
    expect(await names(consumerId)).toEqual(['soon']);
    // It is not the bank's, which hears nothing of it.
    expect(await names(null)).toEqual([]);
    await sql`update api_keys set consumer_id = null, roles = '{viewer}'`.execute(db);
    expect([await names(consumerId), await names(null)]).toEqual([[], ['soon']]);
  });
});
