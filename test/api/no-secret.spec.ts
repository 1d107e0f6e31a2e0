import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { operationsOf, printedDocument, type ApiDocument } from '#test/support/api-document';
import { startConsumer, type ConsumerServer } from '#test/support/consumer-server';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

const COMPANY = 'SECRETIVE';
const HOUR_MS = 3_600_000;
/** Everything that the consumer and the bank agreed on, in the forms in which it could leak. */
const SECRETS = ['whsec_first_of_the_test', 'whsec_second_of_the_test', 'first pässword', 'second pässword'];
const AUTHORIZATIONS = ['first', 'second'].map((which) =>
  Buffer.from(`the-bank:${which} pässword`, 'utf8').toString('base64'),
);
const NEVER_SHOWN = [...SECRETS, ...AUTHORIZATIONS];

let system: System;
let server: ConsumerServer;
let document: ApiDocument;

beforeAll(async () => {
  [system, server, document] = await Promise.all([
    System.start({ backend: 'redis' }),
    startConsumer(),
    printedDocument(),
  ]);
}, 60_000);
afterAll(() => Promise.all([system.stop(), server.close()]));

describe('a secret that was given', () => {
  it('is in no answer, no log line and no row, whatever is done with it', async () => {
    const { client } = system;
    const answers: string[] = [];
    const ask = async (method: string, path: string, body?: object): Promise<number> => {
      const answer = await client.call(method, path, body);
      answers.push(`${JSON.stringify(answer.body)} ${JSON.stringify([...answer.headers])}`);
      return answer.status;
    };
    const [first, second, firstPassword, secondPassword] = SECRETS;
    const { id } = await client.registerConsumer({
      name: 'Secretive',
      url: server.url,
      eventTypes: ['ach.status'],
      achCompanyIds: [COMPANY],
      signingSecret: first,
      credentials: { username: 'the-bank', password: firstPassword },
    });
    const consumer = `/v1/consumers/${id}`;
    server.behave(({ order }) => ({ status: order === 0 ? 401 : 200 }));
    expect(await ask('POST', `${consumer}/test`, {})).toBe(200);
    const accepted = await client.accept(achChange(COMPANY, randomUUID()));
    const delivery = await client.waitForState(accepted, 'delivered');

    const activateAt = new Date(Date.now() + HOUR_MS).toISOString();
    const next = { signingSecret: second, password: secondPassword };
    expect(await ask('POST', `${consumer}/credentials`, { ...next, activateAt })).toBe(201);
    expect(await ask('POST', `${consumer}/test`, { credentials: 'next' })).toBe(200);
    expect(await ask('POST', `${consumer}/credentials`, next)).toBe(409);
    expect(await ask('POST', `${consumer}/credentials/2/activate`, {})).toBe(200);
    expect(await ask('POST', `${consumer}/credentials/1/activate`, { reason: 'too early' })).toBe(200);
    for (const broken of [
      { ...next, activateAt: 'soon' },
      { ...next, username: 'a:b' },
      { ...next, generateSecret: true },
      { ...next, signingSecret: `${second ?? ''}\u0000` },
      { ...next, colour: second },
    ]) {
      expect(await ask('POST', `${consumer}/credentials`, broken)).toBe(422);
    }
    const paste = { body: '{"a":1}', timestamp: '1700000000' };
    for (const credentialVersion of [1, 2]) {
      expect(await ask('POST', `${consumer}/explain-signature`, { ...paste, credentialVersion })).toBe(200);
    }
    expect(await ask('POST', `${consumer}/explain-signature`, { deliveryId: delivery.deliveryId })).toBe(200);

    // Everything that can be read, of this consumer, this event and this delivery.
    const ids = { notificationId: accepted.notificationId, deliveryId: delivery.deliveryId, consumerId: id };
    for (const { method, path } of operationsOf(document)) {
      if (method !== 'GET') continue;
      const of = path.includes('/deliveries/') ? ids.deliveryId : ids.consumerId;
      await ask('GET', path.replace('{notificationId}', ids.notificationId).replaceAll(/\{\w+\}/g, of));
    }

    const rows = await runSql<{ row: string }>(
      system.databaseUrl,
      `select table_name, query_to_xml(format('select * from %I.%I', table_schema, table_name), true, false, '')::text as row
       from information_schema.tables where table_schema = 'public'`,
    );
    const logs = [system.api, ...system.workers].map((process) => process.output);
    for (const secret of NEVER_SHOWN) {
      expect(answers.filter((answer) => answer.includes(secret))).toEqual([]);
      expect(logs.filter((log) => log.includes(secret))).toEqual([]);
      expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
    }
    // What is no secret is found in each: the search itself works.
    expect(answers.some((answer) => answer.includes(id))).toBe(true);
    expect(logs.some((log) => log.includes(id))).toBe(true);
    expect(rows.some(({ row }) => row.includes(COMPANY))).toBe(true);
  }, 60_000);
});
