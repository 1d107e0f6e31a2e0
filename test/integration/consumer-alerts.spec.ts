import { beforeEach, describe, expect, it } from 'vitest';
import { ALERT_KINDS, type AlertKind, type HealthState } from '#libs/contracts';
import {
  ChannelMessagesRepository,
  ChannelsRepository,
  ConsumerAlertsRepository,
  IssuesRepository,
} from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { insertConsumer } from '#test/support/consumer-row';
import { fileDatabase } from '#test/support/file-database';
import { AUDIT } from '#test/support/actor';

const { db } = await fileDatabase();
const alerts = new ConsumerAlertsRepository(db);
const issues = new IssuesRepository(db);

let consumerId: string;
beforeEach(async () => {
  await sql`truncate consumer_alerts, channel_messages, health_issues, channels, bulk_actions`.execute(db);
  consumerId = await insertConsumer(db);
  await choose();
});

const webhook = (host: string) => ({ id: uuidv7(), host, sealed: 'sealed' });
const choose = (
  kinds: readonly AlertKind[] = ALERT_KINDS,
  recipients: string[] = ['ann@acme.example'],
  to?: ReturnType<typeof webhook> | null,
): Promise<boolean> => alerts.choose(consumerId, { kinds: [...kinds], recipients, webhook: to }, AUDIT);
/** The consumer is down, or it is not any more. */
const evaluate = (isDown: boolean, otherwise: HealthState = 'healthy') =>
  issues.evaluate(
    isDown ? [{ consumerId, kind: 'down', subject: '', summary: 's', advice: 'a' }] : [],
    new Map([[consumerId, { state: isDown ? 'down' : otherwise, failures: 0 }]]),
    new Date(),
  );
const succeed = () =>
  sql`update consumer_runtime set last_success_at = now() where consumer_id = ${consumerId}`.execute(db);
/** What is due after the collection: the way, the newest event, and how many others it counts. */
async function due(): Promise<string[]> {
  await alerts.collect();
  const rows = await alerts.due();
  return rows.map(({ channel_kind, event, ids }) => `${channel_kind} ${event} +${ids.length - 1}`).toSorted();
}
async function sendAll(): Promise<void> {
  for (const { ids } of await alerts.due()) await alerts.markSent(ids);
}
const minutesPass = (minutes: number) =>
  sql`update consumer_alerts set sent_at = sent_at - make_interval(mins => ${minutes}::int)`.execute(db);
const insertReplay = (state: string) =>
  sql`insert into bulk_actions (id, action, filter, reason, state, newest_id, changed, created_by, finished_at, started_for)
      values (${uuidv7()}, 'replay', '{}', 'r', ${state}, ${uuidv7()}, 3, 'ann', now(), ${consumerId})`.execute(
    db,
  );
const insertVersion = (version: number, activateAt: string, createdAt: string) =>
  sql`insert into consumer_credentials (consumer_id, version, sealed, activate_at, created_at)
      values (${consumerId}, ${version}, 'sealed', now() + ${activateAt}::interval, now() + ${createdAt}::interval)`.execute(
    db,
  );

describe('alerts for consumers’ people', () => {
  it('a consumer that is down is reported once by each way, and its recovery after 10 minutes', async () => {
    await choose(['endpoint_down'], ['ann@acme.example'], webhook('alerts.example'));
    await evaluate(true);
    expect(await due()).toEqual(['email down +0', 'webhook down +0']);
    await sendAll();
    expect(await due()).toEqual([]);
    // A consumer is up again when it has not been down for 10 minutes.
    await sql`update health_issues set last_seen_at = last_seen_at - interval '11 minutes'`.execute(db);
    await evaluate(false);
    await succeed();
    expect(await due()).toEqual([]);
    await minutesPass(11);
    expect(await due()).toEqual(['email recovered +0', 'webhook recovered +0']);
  });

  it('a consumer that is paused while it is down has not recovered until a delivery succeeds', async () => {
    await evaluate(true);
    expect(await due()).toEqual(['email down +0']);
    await sendAll();
    await evaluate(false, 'paused');
    await minutesPass(11);
    expect(await due()).toEqual([]);
    await succeed();
    expect(await due()).toEqual(['email recovered +0']);
  });

  it('nobody gets an alert of another consumer, of a kind that was not chosen, or of what was before the choice', async () => {
    await insertConsumer(db);
    await insertReplay('finished');
    await sql`update bulk_actions set finished_at = now() - interval '1 minute'`.execute(db);
    await choose(['replay_done']);
    await evaluate(true);
    expect(await due()).toEqual([]);
    consumerId = await insertConsumer(db);
    await insertReplay('finished');
    expect(await due()).toEqual([]);
  });

  it('the end of an own replay is reported with the number of its deliveries', async () => {
    await insertReplay('finished');
    await alerts.collect();
    expect(await alerts.due()).toMatchObject([{ event: 'replay_done', number: 3 }]);
    await sendAll();
    await minutesPass(11);
    await insertReplay('failed');
    expect(await due()).toEqual(['email replay_done +0']);
  });

  it('new credentials are reported when they are scheduled, and 24 hours before they are used', async () => {
    await insertVersion(2, '3 days', '0 days');
    expect(await due()).toEqual(['email credentials_scheduled +0']);
    await sendAll();
    await minutesPass(11);
    await insertVersion(3, '23 hours', '-2 days');
    await alerts.collect();
    const { rows } =
      await sql`select event, number from consumer_alerts where state = 'pending' order by event`.execute(db);
    expect(rows).toEqual([
      { event: 'credentials_scheduled', number: 3 },
      { event: 'credentials_tomorrow', number: 3 },
    ]);
    // Earlier than agreed: a new alert, since the instant has changed.
    await sendAll();
    await minutesPass(11);
    await sql`update consumer_credentials set activate_at = now() where version = 2`.execute(db);
    expect(await due()).toEqual(['email credentials_scheduled +0']);
  });

  it('a way gets one alert of a kind in 10 minutes, which counts those before it', async () => {
    await insertReplay('finished');
    expect(await due()).toEqual(['email replay_done +0']);
    await sendAll();
    for (let index = 0; index < 5; index += 1) await insertReplay('finished');
    expect(await due()).toEqual([]);
    await minutesPass(11);
    expect(await due()).toEqual(['email replay_done +4']);
    await sendAll();
    const { rows } = await sql`
      select state, count(*)::int as count from consumer_alerts group by state order by state`.execute(db);
    expect(rows).toEqual([
      { state: 'sent', count: 2 },
      { state: 'summarised', count: 4 },
    ]);
  });

  it('a way gets at most 10 alerts in an hour', async () => {
    for (let index = 0; index < 9; index += 1) {
      await insertReplay('finished');
      expect(await due()).toHaveLength(1);
      await sendAll();
      await sql`update consumer_alerts set sent_at = now() - interval '11 minutes' where state = 'sent'`.execute(
        db,
      );
    }
    await insertReplay('finished');
    await evaluate(true);
    expect(await due()).toHaveLength(1);
    await sendAll();
    expect(await due()).toEqual([]);
    await minutesPass(61);
    expect(await due()).toHaveLength(1);
  });

  it('a failed alert is due again at its next attempt, and its fault is shown until one is accepted', async () => {
    await choose(ALERT_KINDS, [], webhook('alerts.example'));
    await insertReplay('finished');
    await due();
    const [{ ids, as_of } = { ids: [], as_of: new Date() }] = await alerts.due();
    await alerts.markFailed(ids, 'HTTP 500', new Date(as_of.getTime() + 60_000));
    expect(await due()).toEqual([]);
    expect(await alerts.channelsOf(consumerId)).toMatchObject([{ last_error: 'HTTP 500' }]);
    await sql`update consumer_alerts set next_at = now()`.execute(db);
    await sendAll();
    expect(await alerts.channelsOf(consumerId)).toMatchObject([{ last_error: null }]);
  });

  it('another webhook or mail address replaces the former one, and an empty choice ends the alerts', async () => {
    await choose(ALERT_KINDS, ['ann@acme.example'], webhook('one.example'));
    await evaluate(true);
    await choose(ALERT_KINDS, ['bob@acme.example'], webhook('two.example'));
    expect(await alerts.channelsOf(consumerId)).toMatchObject([
      { kind: 'email', recipients: ['bob@acme.example'] },
      { kind: 'webhook', host: 'two.example' },
    ]);
    expect(await due()).toEqual(['email down +0', 'webhook down +0']);
    await choose([], ['bob@acme.example']);
    expect(await due()).toEqual([]);
    await choose(ALERT_KINDS, [], null);
    expect(await alerts.channelsOf(consumerId)).toEqual([]);
    const { rows } = await sql`select from channels where sealed <> '' or recipients <> '{}'`.execute(db);
    expect(rows).toEqual([]);
  });

  it('the bank’s channels and messages do not include those of consumers’ people', async () => {
    await evaluate(true);
    expect(await new ChannelsRepository(db).list({ offset: 0, limit: 10 })).toEqual([]);
    expect(await new ChannelMessagesRepository(db).due()).toEqual([]);
  });

  it('alerts of what happened before the retention are removed', async () => {
    await insertReplay('finished');
    await insertVersion(2, '300 days', '0 days');
    await alerts.collect();
    await sql`update consumer_alerts set created_at = now() - interval '40 days'`.execute(db);
    await sql`update consumer_alerts set at = created_at where event = 'replay_done'`.execute(db);
    expect(await alerts.trim(30, 100)).toBe(1);
  });
});
