import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { wireExample } from '#libs/contracts';
import { acceptedStatuses } from '#test/support/accepted-statuses';
import { afterFile } from '#test/support/after-file';
import { blocksOf, PageSession } from '#test/support/documented-page';
import { freePort } from '#test/support/free-port';
import { newProducer } from '#test/support/new-producer';
import { observedProxy } from '#test/support/observed-proxy';
import { hasKafka, OwnKafka } from '#test/support/own-kafka';
import { RunningCommand } from '#test/support/running-command';
import { WIRE_SEQUENCE } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { waitUntil } from '#test/support/wait-until';

const PROJECT = join(import.meta.dirname, '../..');

let system: System;
let folder: TemporaryFolder;
let kafka: OwnKafka;
let started: RunningCommand[] = [];

/** A topic, its dead-letter topic and a producer's key, for one test. */
async function newTopic(name: string) {
  const [topic, deadLetterTopic] = [name, `${name}.dead-letters`];
  await kafka.createTopics(topic, deadLetterTopic);
  const producer = await newProducer(system.client);
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<RunningCommand> => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const settings = {
      KAFKA_BROKERS: `127.0.0.1:${String(kafka.port)}`,
      KAFKA_TOPICS: topic,
      KAFKA_DEAD_LETTER_TOPIC: deadLetterTopic,
      KAFKA_GROUP_ID: name,
      DISPATCHER_URL: system.api.baseUrl,
      DISPATCHER_API_KEY: producer.key,
      PORT: String(await freePort()),
    };
    const ingest = await RunningCommand.start({
      file: process.execPath,
      args: [join(PROJECT, 'dist/apps/kafka-ingest/main.js')],
      env: { PATH, NODE_COMPILE_CACHE, ...settings, ...env },
    });
    started.push(ingest);
    return ingest;
  };
  const send = (records: readonly { paymentId: string; value?: string }[]): Promise<void> =>
    kafka.send(records.map(({ paymentId, ...record }) => ({ topic, key: paymentId, ...record })));
  const accepted = () => acceptedStatuses(system.databaseUrl, producer.name);
  return { topic, deadLetterTopic, producer, start, send, accepted };
}

const status = (paymentId: string, text: string) => ({
  paymentId,
  value: JSON.stringify({
    ...wireExample({ paymentId }),
    data: { wireEventInfo: { paymentId, status: text } },
  }),
});

const logs = (): string => started.map(({ output }) => output).join('\n---\n');
const isAccepted = (check: () => Promise<unknown>, expected: unknown): Promise<true> =>
  waitUntil(
    async () => {
      expect(await check()).toEqual(expected);
      return true;
    },
    { what: () => `every record to be accepted. The log:\n${logs()}`, deadlineMs: 120_000 },
  );

describe.skipIf(!hasKafka)('kafka-ingest', () => {
  beforeAll(async () => {
    folder = await temporaryFolder('kafka-page');
    [system, kafka] = await Promise.all([System.shared(0), OwnKafka.create()]);
  });
  afterEach(async () => {
    await Promise.all(started.map((ingest) => ingest.end('SIGKILL')));
    started = [];
  });
  afterAll(() => Promise.all([kafka.remove(), folder.remove()]));

  test('each of 1,000 records becomes one event, in the order of its payment, although partitions change hands and a member is killed between commit and answer', async () => {
    const { start, send, accepted } = await newTopic('killed');
    const payments = Array.from({ length: 50 }, (_, index) => `W-${String(index)}`);
    const statuses = Array.from({ length: 20 }, (_, round) => WIRE_SEQUENCE[round % 4] ?? '');
    const sendRounds = async (rounds: readonly string[]): Promise<void> => {
      for (const text of rounds) await send(payments.map((paymentId) => status(paymentId, text)));
    };
    let hasShared = false;
    const proxy = await observedProxy(
      () => system.api.baseUrl,
      async (answer) => {
        if (answer === 1) {
          const second = await start();
          await waitUntil(() => second.output.includes('kafka.joined'), {
            what: () => `two members:\n${logs()}`,
          });
          hasShared = true;
        }
        if (hasShared && answer > 1) await started[0]?.end('SIGKILL');
      },
    );
    await sendRounds(statuses.slice(0, 10));
    const first = await start({ DISPATCHER_URL: proxy.url });
    await waitUntil(() => hasShared, { what: () => `a second member:\n${logs()}` });
    await sendRounds(statuses.slice(10));
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await start();
    await isAccepted(accepted, Object.fromEntries(payments.map((paymentId) => [paymentId, statuses])));
  });

  test('what is no event goes to the dead-letter topic with its place and the reason, and the records after it are accepted', async () => {
    const { topic, deadLetterTopic, start, send, accepted } = await newTopic('refused');
    const unreadable = { paymentId: 'W-1', value: '{"amount": "secret-4711"' };
    const wrong = status('W-1', 'Done');
    await send([status('W-1', 'Review'), unreadable, wrong, { paymentId: 'W-1' }, status('W-1', 'Complete')]);
    const ingest = await start();

    const letters = await kafka.read(deadLetterTopic, 3);
    const place = { 'dead-letter.topic': topic, 'dead-letter.partition': expect.stringMatching(/^[0-3]$/) };
    expect(letters).toEqual([
      {
        value: unreadable.value,
        headers: {
          ...place,
          'dead-letter.offset': '1',
          'dead-letter.reason': 'not-json',
          'dead-letter.errors': '[]',
          'dead-letter.detail': 'The value is not a JSON object.',
        },
      },
      expect.objectContaining({ headers: expect.objectContaining({ ...place, 'dead-letter.offset': '3' }) }),
      {
        value: wrong.value,
        headers: expect.objectContaining({
          'dead-letter.offset': '2',
          'dead-letter.reason': 'refused',
          'dead-letter.errors': expect.stringContaining('"data.wireEventInfo.status"'),
        }),
      },
    ]);
    await isAccepted(accepted, { 'W-1': ['Review', 'Complete'] });
    expect(await ingest.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(ingest.output).toMatch(
      /"offset":"2","reason":"refused".*data\.wireEventInfo\.status must|"field":"data\.wireEventInfo\.status"/,
    );
    expect(ingest.output).not.toContain('4711');
  });

  test('nothing is lost or a dead letter while the api answers 503, and the group keeps its member', async () => {
    const { deadLetterTopic, start, send, accepted } = await newTopic('unavailable');
    let refusals = 0;
    const busy = createServer((_request, response) => {
      refusals += 1;
      response.writeHead(503).end();
    }).listen(0, '127.0.0.1');
    await once(busy, 'listening');
    afterFile(() => busy.close());
    const address = busy.address();
    const busyUrl = `http://127.0.0.1:${String(typeof address === 'object' && address !== null ? address.port : 0)}`;
    let isBusy = true;
    const proxy = await observedProxy(
      () => (isBusy ? busyUrl : system.api.baseUrl),
      () => undefined,
    );
    await send(WIRE_SEQUENCE.map((text) => status('W-1', text)));
    const port = String(await freePort());
    const ingest = await start({ DISPATCHER_URL: proxy.url, PORT: port });
    await waitUntil(() => refusals >= 5, { what: () => `five requests. The log:\n${logs()}` });
    const answerTo = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    expect(await answerTo('/readyz')).toBe('ready\n');
    expect(await answerTo('/metrics')).toMatch(
      /^kafka_ingest_lag_records\{topic="unavailable",partition="\d"\} 4$/m,
    );
    isBusy = false;
    await isAccepted(accepted, { 'W-1': [...WIRE_SEQUENCE] });
    expect(await kafka.count(deadLetterTopic)).toBe(0);
    expect(ingest.output.match(/"msg":"kafka.joined"/g)).toHaveLength(1);
  });

  test('SIGTERM ends the process with status 0 although no broker answers', async () => {
    const { start } = await newTopic('unreachable');
    const ingest = await start({ KAFKA_BROKERS: `127.0.0.1:${String(await freePort())}` });
    await waitUntil(() => ingest.output.includes('process.ready'), { what: () => ingest.output });
    expect(await ingest.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('a wrong API key ends the process with advice, and costs no record', async () => {
    const { deadLetterTopic, start, send, accepted } = await newTopic('forbidden');
    await send([status('W-1', 'Review')]);
    const ingest = await start({ DISPATCHER_API_KEY: 'pnd_unknown' });
    expect(await ingest.exited).toEqual({ code: 1, signal: null });
    expect(ingest.output).toMatch(/HTTP 401.*Give DISPATCHER_API_KEY a key with the role producer/);
    expect(await kafka.count(deadLetterTopic)).toBe(0);
    await start();
    await isAccepted(accepted, { 'W-1': ['Review'] });
  });

  test('each command of docs/kafka.md works as documented, from the first start to the dead letters that are sent again', async () => {
    const topics = ['payment-status', 'payment-status.dead-letters', 'payment-status.dead-letters-2'];
    await kafka.createTopics(...topics);
    const producer = await newProducer(system.client);
    await kafka.send([{ topic: 'payment-status', ...status('W-1', 'Review') }]);
    // What was refused until the dispatcher was corrected.
    await kafka.send([{ topic: 'payment-status.dead-letters', ...status('W-2', 'Review') }]);
    const ports = { 9092: kafka.port, 3000: system.api.port, 3100: await freePort(), 3101: await freePort() };
    const session = PageSession.start(folder.path, { PRODUCER_KEY: producer.key }, ports);
    try {
      await session.run(`cd ${PROJECT}`);
      const blocks = blocksOf('docs/kafka.md').filter(({ language }) => language === 'sh');
      expect(blocks).toHaveLength(2);
      let printed = '';
      for (const { text } of blocks) printed += await session.run(text);
      expect(printed.match(/^ready$/gm)).toHaveLength(2);
      expect(printed).toMatch(/^# TYPE kafka_ingest_lag_records gauge$/m);
      await isAccepted(() => acceptedStatuses(system.databaseUrl, producer.name), {
        'W-1': ['Review'],
        'W-2': ['Review'],
      });
    } finally {
      await session.end();
    }
  });
});
