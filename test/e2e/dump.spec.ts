import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { AcceptedDto } from '#libs/contracts';
import { operationsOf, printedDocument } from '#test/support/api-document';
import { addChannels } from '#test/support/dumped-channels';
import { startConsumer, type ConsumerServer } from '#test/support/consumer-server';
import { Dump } from '#test/support/dump';
import { DumpedSignIns } from '#test/support/dumped-sign-ins';
import { forgedText } from '#test/support/forged-text';
import { OwnRedis } from '#test/support/own-redis';
import { runSql } from '#test/support/run-sql';
import { sequencesWithAccounts } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const COMPANY = 'DUMPED';
/** The length of the output that `RunningCommand` keeps; a longer log would not be searched completely. */
const LOG_LIMIT = 200_000;

const random = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
const credentials = () => ({
  signingSecret: random('whsec/+"'),
  username: 'the-bank',
  password: random('pässword /+"'),
});
const [FIRST, SECOND] = [credentials(), credentials()];
const forged = () => forgedText(FIRST.signingSecret, server.url);
const KEY_BYTES = randomBytes(32);
/** The name of an unknown field; only the answer to its sender may contain it. */
const UNKNOWN_FIELD = random('name');
const ACCOUNTS = ['7070123456789012', '7171123456789013', '7272123456789014', '7373123456789015'] as const;

/** A consumer's answer may repeat account numbers; only roles that see them in full can read it. */
const PAYMENTS_ARE_STORED =
  /^table (events|attempts)$|^answer to (admin|consumer): GET \/v1\/(events|deliveries|notifications)|explain-signature$/;

let redis: OwnRedis;
let system: System;
let server: ConsumerServer;
let dump: Dump;

beforeAll(async () => {
  [redis, server] = await Promise.all([OwnRedis.create(), startConsumer()]);
  system = await System.start({
    backend: 'redis',
    redisUrl: redis.url,
    keyring: `k1:${KEY_BYTES.toString('base64')}`,
    env: { LOG_LEVEL: 'trace' },
  });
  dump = new Dump(system.api.baseUrl);
});
afterAll(() => Promise.all([system.stop(), server.close(), redis.remove()]));

/** Makes an API key. The answer to this request shows it and is not searched. */
async function keyOf(path: string, body: object): Promise<string> {
  const answer = await system.client.call<{ key: string }>('POST', path, body);
  expect(answer.status).toBe(201);
  dump.plant(`the key made at ${path}`, answer.body.key);
  return answer.body.key;
}

const changes = (): object[] => sequencesWithAccounts(COMPANY, ACCOUNTS);

interface Participants {
  readonly consumerId: string;
  readonly consumer: string;
  readonly producer: string;
  readonly viewer: string;
  readonly reader: string;
}

async function onboard(): Promise<Participants> {
  const { id } = await system.client.registerConsumer({
    name: 'Dumped',
    url: server.url,
    eventTypes: ['ach.status', 'wire.status'],
    achCompanyIds: [COMPANY],
    wireCompanyIds: [COMPANY],
    retrySchedule: [1, 1, 1],
    signingSecret: FIRST.signingSecret,
    credentials: { username: FIRST.username, password: FIRST.password },
  });
  const generated = await system.client.registerConsumer({
    name: 'Generated',
    url: server.url,
    eventTypes: ['ach.status'],
    achCompanyIds: ['UNKNOWN'],
    credentials: { username: 'the-bank', password: random('p') },
  });
  dump.plant('a generated secret', generated.signingSecret ?? '');
  await addChannels(system, dump);
  const consumer = `/v1/consumers/${id}`;
  return {
    consumerId: id,
    consumer,
    producer: await keyOf('/v1/api-keys', { name: 'hub', roles: ['producer'] }),
    viewer: await keyOf('/v1/api-keys', { name: 'vera', roles: ['viewer'] }),
    reader: await keyOf(`${consumer}/keys`, { name: 'their reader' }),
  };
}

const post = (path: string, body: object): Promise<Response> =>
  dump.ask('admin', 'POST', path, { key: system.adminKey, body: JSON.stringify(body) });

const get = (path: string): Promise<Response> => dump.ask('admin', 'GET', path, { key: system.adminKey });

const postEvent = (
  { producer }: Participants,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> => dump.ask('producer', 'POST', '/v1/events', { key: producer, body, headers });

/** A consumer that answers with the request that it received, and acknowledges the fourth attempt. */
function echo(): void {
  server.behave(({ order, headers, body }) => ({
    status: order < 3 ? 401 : 200,
    headers: {
      'x-seen': JSON.stringify(headers['authorization']),
      'x-signed': String(headers['x-signature']),
    },
    body: JSON.stringify({ headers, body }),
  }));
}

/** @returns the first status of the first payment */
async function postEvents(participants: Participants): Promise<AcceptedDto> {
  const posted: AcceptedDto[] = [];
  const [first, ...others] = changes();
  for (const change of [first, ...others]) {
    const key = { 'idempotency-key': `key-${posted.length}` };
    const answer = await postEvent(participants, JSON.stringify(change), key);
    expect(answer.status).toBe(202);
    posted.push(JSON.parse(await answer.text()));
  }
  const conflict = await postEvent(participants, JSON.stringify(others[0]), { 'idempotency-key': 'key-0' });
  expect(conflict.status).toBe(409);
  const broken = JSON.parse(JSON.stringify(first));
  broken.data.achEventInfo.debtor.account = ACCOUNTS[0];
  broken.data.achEventInfo.amount = ACCOUNTS[1];
  broken.data.achEventInfo[UNKNOWN_FIELD] = ACCOUNTS[3];
  const batch = JSON.stringify({ events: [...changes(), broken] });
  await dump.ask('producer', 'POST', '/v1/events/batch', { key: participants.producer, body: batch });
  for (const body of [
    JSON.stringify(broken),
    `{"eventType": "ach.status", "data": "${ACCOUNTS[0]}`,
    `{"accountId": ${ACCOUNTS[1]}oops}`,
    `"${ACCOUNTS[2]}"`,
    `{"accountNumber":"${ACCOUNTS[3]}",}`,
    `{"accountNumber":"${ACCOUNTS[3]}","x":"${'x'.repeat(300_000)}"}`,
  ]) {
    expect((await postEvent(participants, body)).status).toBeGreaterThanOrEqual(400);
    await postEvent(participants, body, { 'content-type': 'text/plain' });
  }
  const [accepted] = posted;
  if (accepted === undefined) throw new Error('nothing was accepted');
  return accepted;
}

async function rotateCredentials({ consumer }: Participants): Promise<void> {
  const { signingSecret, password } = SECOND;
  const activateAt = new Date(Date.now() + 3_600_000).toISOString();
  const added = await post(`${consumer}/credentials`, { signingSecret, password, activateAt });
  expect(added.status).toBe(201);
  expect((await post(`${consumer}/test`, {})).status).toBe(200);
  expect((await post(`${consumer}/test`, { credentials: 'next' })).status).toBe(200);
  for (const invalid of [
    { signingSecret, password, username: 'a:b' },
    { password, [UNKNOWN_FIELD]: signingSecret },
    { signingSecret: [signingSecret], password: { a: password } },
    { signingSecret, password, activateAt: password },
  ]) {
    expect((await post(`${consumer}/credentials`, invalid)).status).toBe(422);
  }
  await post('/v1/consumers', { name: 'x', credentials: `${FIRST.username}:${FIRST.password}` });
  expect((await post(`${consumer}/credentials/2/activate`, {})).status).toBe(200);
}

/** @returns the bulk action */
async function runCommands({ consumer, consumerId }: Participants, deliveryId: string): Promise<string> {
  await post(`/v1/deliveries/${deliveryId}/retry`, { force: true, reason: 'once more' });
  await post(`${consumer}/pause`, { reason: 'a look' });
  await post(`${consumer}/resume`, { reason: 'a look' });
  expect((await post(`${consumer}/explain-signature`, { deliveryId })).status).toBe(200);
  expect((await post(`${consumer}/explain-signature`, forged())).status).toBe(200);
  const filter = { consumerId };
  const bulk = await post('/v1/bulk-actions', { action: 'replay', filter, reason: 'they lost them' });
  const { id }: { id: string } = JSON.parse(await bulk.text());
  await waitUntil(
    async () =>
      (await system.client.call<{ state: string }>('GET', `/v1/bulk-actions/${id}`)).body.state ===
      'finished',
    { what: 'the replay to finish' },
  );
  return id;
}

/** Requests with a link, valid and invalid keys, from other origins, and with a key or an account number instead of an id. */
async function signIn({ viewer, consumer }: Participants): Promise<void> {
  const signIns = new DumpedSignIns(dump, system.api.baseUrl);
  await signIns.link(await post(`${consumer}/sign-in-links`, { name: 'their analyst' }));
  await signIns.validKey(viewer);
  const unknown = await signIns.unknownKey();
  await dump.ask('unauthenticated', 'GET', '/v1/me', { key: unknown });
  await dump.ask('unauthenticated', 'GET', '/v1/me', { headers: { authorization: `Basic ${viewer}` } });
  await dump.ask('admin', 'DELETE', `/v1/api-keys/${viewer}`, { key: system.adminKey });
  await get(`/v1/${viewer}`);
  await get(`/v1/events?eventType=${viewer}`);
  await get(`/v1/events?accountNumber=${ACCOUNTS[0]}&limit=${ACCOUNTS[1]}`);
  await get(`/v1/events/${ACCOUNTS[2]}`);
  await get(`/nowhere/${ACCOUNTS[3]}%`);
}

/** Internal errors whose PostgreSQL message contains the refused row. */
async function causeInternalErrors(participants: Participants): Promise<void> {
  const tables = ['events', 'consumer_credentials', 'api_keys'];
  const alterAll = async (to: string): Promise<void> => {
    for (const table of tables) await runSql(system.databaseUrl, `alter table ${table} ${to}`);
  };
  await alterAll('add constraint refusing check (false) not valid');
  const failing = [
    await postEvent(participants, JSON.stringify(changes()[0])),
    await post(`${participants.consumer}/credentials`, FIRST),
    await post('/v1/api-keys', { name: 'never', roles: ['viewer'] }),
  ];
  await alterAll('drop constraint refusing');
  expect(failing.map(({ status }) => status)).toEqual([500, 500, 500]);
}

/** Reads everything with every role. */
async function readEverything(
  { consumerId, viewer, reader }: Participants,
  { notificationId, deliveryId, bulkId }: Record<'notificationId' | 'deliveryId' | 'bulkId', string>,
): Promise<void> {
  for (const { method, path } of operationsOf(await printedDocument())) {
    if (method !== 'GET') continue;
    const id = path.includes('/deliveries/') ? deliveryId : path.includes('/bulk') ? bulkId : consumerId;
    const url = path.replace('{notificationId}', notificationId).replaceAll(/\{\w+\}/g, id);
    await get(url);
    await dump.ask('viewer', method, url, { key: viewer });
    await dump.ask('consumer', method, url, { key: reader });
    await dump.ask('unauthenticated', method, url);
  }
  const pages = ['', 'docs', 'docs-json', 'livez', 'readyz', 'metrics'];
  for (const page of pages) await get(`/${page}`);
  for (const path of ['/livez', '/readyz', '/metrics', '/nowhere']) {
    const answer = await fetch(`${system.workers[0]?.baseUrl ?? ''}${path}`);
    dump.keep(`worker ${path}`, await answer.text());
  }
}

describe('dump of the database, the queue, all logs and all answers', () => {
  it('no table, queue, log or answer contains a secret, and account numbers are only where payments are stored', async () => {
    const participants = await onboard();
    echo();
    const accepted = await postEvents(participants);
    const { notificationId, deliveryId } = await system.client.waitForState(accepted, 'delivered');
    await rotateCredentials(participants);
    const bulkId = await runCommands(participants, deliveryId);
    await signIn(participants);
    await causeInternalErrors(participants);
    await readEverything(participants, { notificationId, deliveryId, bulkId });
    const running = [system.api, ...system.workers];
    await Promise.all(running.map((process) => process.kill()));
    for (const { app, output } of running) {
      expect(output.length).toBeLessThan(LOG_LIMIT);
      dump.keep(`log of the ${app}`, output);
    }
    dump.keep('journal of Redis', await redis.journal());
    await dump.keepTables(system.databaseUrl);

    for (const { signingSecret, username, password } of [FIRST, SECOND]) {
      dump.plant('a signing secret', signingSecret);
      dump.plant('a password', password);
      dump.plant('Basic credentials', `${username}:${password}`);
    }
    dump.plant('the admin key', system.adminKey);
    dump.plant('the hashed key', createHash('sha256').update(system.adminKey).digest(), /^table api_keys$/);
    dump.plant('the keyring’s key', KEY_BYTES);
    const sessionKey = hkdfSync('sha256', KEY_BYTES, '', 'console-session/1', 32);
    dump.plant('the key that signs sessions', Buffer.from(sessionKey));
    for (const { headers } of server.requests)
      dump.plant('a signature', String(headers['x-signature']), /explain-signature$/);
    dump.plant('a signature of a pasted text', forged().signature);
    dump.plant('a field’s name', UNKNOWN_FIELD, /^(problem|answer) to (producer|admin): POST/);
    for (const account of ACCOUNTS) dump.plant('an account number', account, PAYMENTS_ARE_STORED);
    expect(dump.findings()).toEqual([]);

    // The search works: it finds a text that is no secret in each place.
    const places = ['log of the worker', 'table attempts', 'table deliveries'];
    expect(dump.holding(deliveryId)).toEqual(expect.arrayContaining(places));
    expect(dump.holding(participants.consumerId)).toContain('journal of Redis');
    expect(dump.holding(ACCOUNTS[0])).toContain('table events');
    expect(dump.holding(COMPANY)).toEqual(expect.arrayContaining(['table consumers', 'table payments']));
  });
});
