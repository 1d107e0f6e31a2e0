import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConsumerServer, inTurn, startConsumer } from './consumer-server.js';

describe('consumer server of the tests', () => {
  let consumer: ConsumerServer;
  beforeEach(async () => {
    consumer = await startConsumer();
  });
  afterEach(() => consumer.close());

  const post = (body: string): Promise<Response> =>
    fetch(consumer.url, {
      method: 'POST',
      body,
      headers: { 'x-timestamp': '1' },
      signal: AbortSignal.timeout(5_000),
    });

  test('the test consumer records the body and headers of each request in order', async () => {
    await post('{"b":1, "a":"ü"}');
    await post('second');
    const [first, second] = await consumer.waitFor(2);
    expect(first).toMatchObject({
      order: 0,
      method: 'POST',
      target: '/ach-payments-api/v1/hook',
      body: '{"b":1, "a":"ü"}',
    });
    expect(first?.headers['x-timestamp']).toBe('1');
    expect(second).toMatchObject({ order: 1, body: 'second' });
  });

  test('the test consumer gives its answers in sequence and then repeats the last one', async () => {
    consumer.behave(inTurn({ status: 503, headers: { 'retry-after': '7' }, body: 'later' }, { status: 204 }));
    const refused = await post('1');
    expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([
      503,
      '7',
      'later',
    ]);
    expect((await post('2')).status).toBe(204);
    expect((await post('3')).status).toBe(204);
  });

  test('the test consumer can reset a connection, never answer, or answer late', async () => {
    consumer.behave(inTurn('reset', 'hang', { delayMs: 50 }));
    await expect(post('1')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    await expect(post('2')).rejects.toThrow(/timeout/);
    const before = performance.now();
    expect((await post('3')).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(45);
  });

  test('waiting for requests fails at once when the behaviour of the test consumer throws', async () => {
    consumer.behave(() => {
      throw new Error('a broken test');
    });
    await expect(post('1')).rejects.toThrow('fetch failed');
    await expect(consumer.waitFor(2)).rejects.toThrow('a broken test');
  });

  test('waiting for requests reports how many have arrived when the deadline passes', async () => {
    await post('1');
    await expect(consumer.waitFor(2, 30)).rejects.toThrow('2 requests at the consumer; 1 so far');
  });
});
