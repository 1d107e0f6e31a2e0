import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IssueKind, Severity } from '#libs/contracts';
import {
  ChannelMessagesRepository,
  ChannelsRepository,
  ChannelSummariesRepository,
  IssuesRepository,
} from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { insertConsumer } from '#test/support/consumer-row';
import { fileDatabase } from '#test/support/file-database';
import { AUDIT } from '#test/support/actor';

const { db } = await fileDatabase();
let issues: IssuesRepository;
let messages: ChannelMessagesRepository;
let channels: ChannelsRepository;
beforeAll(async () => {
  [issues, messages, channels] = [
    new IssuesRepository(db),
    new ChannelMessagesRepository(db),
    new ChannelsRepository(db),
  ];
});

let consumerId: string;
beforeEach(async () => {
  await sql`delete from channel_messages`.execute(db);
  await sql`delete from health_issues`.execute(db);
  await sql`delete from channels`.execute(db);
  consumerId = await insertConsumer(db);
});

async function addChannel(
  name: string,
  filter: {
    issue_kinds?: IssueKind[];
    severities?: Severity[];
    consumer_ids?: string[];
    enabled?: boolean;
  } = {},
): Promise<string> {
  const id = uuidv7();
  await channels.insert({ id, name, kind: 'slack', sealed: 'sealed', ...filter }, AUDIT);
  return id;
}

/** Opens the issues of these kinds, and ends all others, as if none had been observed for an hour. @returns the ids of the opened ones */
async function evaluate(kinds: readonly IssueKind[], of: string | null = consumerId): Promise<string[]> {
  const found = kinds.map((kind) => ({ consumerId: of, kind, subject: '', summary: 's', advice: 'a' }));
  const state = kinds.includes('down') ? 'down' : 'healthy';
  await sql`update health_issues set last_seen_at = now() - interval '1 hour'`.execute(db);
  const { opened } = await issues.evaluate(
    found,
    new Map([[consumerId, { state, failures: 0 }]]),
    new Date(),
  );
  return opened.map(({ id }) => id);
}

/** Opens issues of the installation, about keys that expire. */
async function insertKeyIssues(count: number): Promise<void> {
  const keys = Array.from({ length: count }, (_, index) => ({
    consumerId: null,
    kind: 'api_key_expiring' as const,
    subject: String(index),
    summary: 's',
    advice: 'a',
  }));
  await issues.evaluate(keys, new Map(), new Date());
}

/** The messages by their channel's name, event and state; `contact` is the consumer's. */
async function all(): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(' ', coalesce(c.name, 'contact'), i.kind, m.event, m.state) as text from channel_messages m
    join health_issues i on i.id = m.issue_id left join channels c on c.id = m.channel_id
    order by m.created_at, m.event <> 'opened', 1`.execute(db);
  return rows.map(({ text }) => text);
}
const due = async (): Promise<string[]> =>
  (await messages.due()).map(({ kind, event }) => `${kind} ${event}`);

describe('messages about issues', () => {
  it('an issue is announced in the channels whose kinds, severities and consumers include it, and not in disabled ones', async () => {
    await addChannel('all');
    await addChannel('of kind', { issue_kinds: ['down', 'degraded'] });
    await addChannel('of other kind', { issue_kinds: ['degraded'] });
    await addChannel('of severity', { severities: ['page', 'info'] });
    await addChannel('of other severity', { severities: ['ticket'] });
    await addChannel('of consumer', { consumer_ids: [consumerId] });
    await addChannel('of other consumer', { consumer_ids: [uuidv7()] });
    await addChannel('disabled', { enabled: false });
    await evaluate(['down']);
    expect((await all()).toSorted()).toEqual([
      'all down opened pending',
      'of consumer down opened pending',
      'of kind down opened pending',
      'of severity down opened pending',
    ]);
  });

  it('an issue of the installation is announced only in channels of all consumers', async () => {
    await addChannel('all');
    await addChannel('of consumer', { consumer_ids: [consumerId] });
    await evaluate(['api_key_expiring'], null);
    expect(await all()).toEqual(['all api_key_expiring opened pending']);
  });

  it('each event of an issue is announced once, whether a person or an evaluation causes it', async () => {
    await addChannel('all');
    const [id = ''] = await evaluate(['paused_unplanned']);
    await evaluate(['paused_unplanned']);
    await messages.markSent((await messages.due()).map((message) => message.id));
    await issues.acknowledge(id, 'called', AUDIT);
    await issues.acknowledge(id, 'called again', AUDIT);
    await issues.resolve(id, 'done', AUDIT);
    await evaluate([]);
    expect(await all()).toEqual([
      'all paused_unplanned opened sent',
      'all paused_unplanned acknowledged pending',
      'all paused_unplanned resolved pending',
    ]);
  });

  it('the contact hears that its consumer is down and has recovered, and nothing else, if that is switched on', async () => {
    await evaluate(['down']);
    await evaluate([]);
    expect(await all()).toEqual([]);
    await sql`update consumers set notify_contact = true where id = ${consumerId}`.execute(db);
    const [id = ''] = await evaluate(['down', 'dead_not_settled']);
    await messages.markSent((await messages.due()).map((message) => message.id));
    await issues.acknowledge(id, null, AUDIT);
    await sql`update consumer_runtime set last_success_at = now() where consumer_id = ${consumerId}`.execute(
      db,
    );
    await evaluate([]);
    expect(await all()).toEqual(['contact down opened sent', 'contact down resolved pending']);
  });

  it('the contact does not hear of a recovery when the issue ends without a delivery that succeeded', async () => {
    await sql`update consumers set notify_contact = true where id = ${consumerId}`.execute(db);
    await evaluate(['down']);
    await messages.markSent((await messages.due()).map((message) => message.id));
    await evaluate([]);
    expect(await all()).toEqual(['contact down opened sent']);
  });

  it('an issue that is resolved before its opening was sent is not announced at all', async () => {
    await addChannel('all');
    await evaluate(['down']);
    await evaluate([]);
    await messages.supersede();
    expect(await all()).toEqual(['all down opened superseded', 'all down resolved superseded']);
    expect(await due()).toEqual([]);
  });

  it('messages of a channel that is disabled or removed are not sent', async () => {
    const [disabled, removed] = [await addChannel('one'), await addChannel('other')];
    await evaluate(['down']);
    await channels.update(disabled, { enabled: false }, AUDIT);
    await channels.remove(removed, AUDIT);
    await messages.supersede();
    expect(await all()).toEqual(['one down opened superseded', 'other down opened superseded']);
  });

  it('what follows an opening waits until the opening is sent after a failed attempt', async () => {
    await addChannel('all');
    const [id = ''] = await evaluate(['down']);
    const [opening] = await messages.due();
    await messages.markFailed(opening?.id ?? '', 'HTTP 500', new Date(Date.now() + 60_000));
    await issues.acknowledge(id, null, AUDIT);
    expect(await due()).toEqual([]);
    await sql`update channel_messages set next_at = now() where event = 'opened'`.execute(db);
    expect(await due()).toEqual(['down opened', 'down acknowledged']);
  });

  it('a message that was given up is not sent again, and its channel shows why', async () => {
    const channelId = await addChannel('all');
    await evaluate(['down']);
    const [message] = await messages.due();
    await messages.markFailed(message?.id ?? '', 'HTTP 404', null);
    expect(await due()).toEqual([]);
    expect(await channels.find(channelId)).toMatchObject({
      pending: 0,
      failed: 1,
      last_error: 'HTTP 404',
      last_sent_at: null,
    });
    // What follows would confuse a channel that does not know of the issue.
    await evaluate([]);
    await messages.supersede();
    expect(await all()).toEqual(['all down opened failed', 'all down resolved superseded']);
  });

  it('at most 20 messages of a channel are due at once, and the other channels’ are not displaced', async () => {
    await addChannel('all');
    await addChannel('of down', { issue_kinds: ['down'] });
    await insertKeyIssues(30);
    await evaluate(['down']);
    const found = await messages.due();
    const ofEach = [...Map.groupBy(found, ({ channel_id }) => channel_id).values()].map((of) => of.length);
    expect(ofEach.toSorted((one, other) => one - other)).toEqual([1, 20]);
    expect(found.filter(({ kind }) => kind === 'down')).toHaveLength(2);
  });

  it('the message that a consumer is down is due before hundreds of earlier ones about minor issues', async () => {
    await addChannel('all');
    await insertKeyIssues(100);
    await evaluate(['down']);
    expect(await due()).toContain('down opened');
  });
});

describe('the limit of a channel', () => {
  const next = () => sql`update channel_messages set next_at = now() where state = 'counted'`.execute(db);
  const states = async (): Promise<Record<string, number>> => {
    const rows = await all();
    return Object.fromEntries([...Map.groupBy(rows, (row) => row)].map(([row, of]) => [row, of.length]));
  };

  it('counted openings are one summary of their channel, with their kinds and how many are unresolved', async () => {
    const summaries = new ChannelSummariesRepository(db);
    const channel = await addChannel('all');
    const other = await addChannel('other');
    await insertKeyIssues(3);
    const [minor, ...more] = (await messages.due()).filter(({ channel_id }) => channel_id === channel);
    await messages.markSent([minor?.id ?? '']);
    await summaries.count(
      channel,
      more.map(({ id }) => id),
    );
    expect(await summaries.announced(channel)).toEqual([{ kind: 'api_key_expiring', consumer_id: null }]);
    expect(await summaries.announced(other)).toEqual([]);
    expect(await summaries.due()).toEqual([]);
    await next();
    const [summary, ...rest] = await summaries.due();
    expect(rest).toEqual([]);
    expect(summary).toMatchObject({
      channel_id: channel,
      kinds: ['api_key_expiring', 'api_key_expiring'],
      unresolved: 2,
      attempts: 0,
    });
    await summaries.markFailed(summary?.ids ?? [], 'answered 500', new Date(Date.now() + 60_000));
    expect(await summaries.due()).toEqual([]);
    await next();
    expect(await summaries.due()).toMatchObject([{ attempts: 1, unresolved: 2 }]);
    await summaries.markSent(summary?.ids ?? []);
    expect(await summaries.due()).toEqual([]);
    expect(await states()).toEqual({
      'all api_key_expiring opened sent': 1,
      'all api_key_expiring opened summarised': 2,
      'other api_key_expiring opened pending': 3,
    });
  });

  it('an issue that only a summary announced has no message of its own when it ends', async () => {
    const channel = await addChannel('all');
    await evaluate(['certificate_expiring']);
    await new ChannelSummariesRepository(db).count(
      channel,
      (await messages.due()).map(({ id }) => id),
    );
    await evaluate([]);
    await messages.supersede();
    expect(await all()).toEqual([
      'all certificate_expiring opened counted',
      'all certificate_expiring resolved superseded',
    ]);
  });

  it('a channel that is disabled sends no summary', async () => {
    const channel = await addChannel('all');
    await evaluate(['certificate_expiring']);
    const summaries = new ChannelSummariesRepository(db);
    await summaries.count(
      channel,
      (await messages.due()).map(({ id }) => id),
    );
    await sql`update channels set enabled = false`.execute(db);
    await messages.supersede();
    await next();
    expect(await summaries.due()).toEqual([]);
  });
});
