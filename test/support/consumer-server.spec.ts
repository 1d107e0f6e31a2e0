import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConsumerServer, inTurn, startConsumer } from './consumer-server.js';

describe('the consumer of the tests', () => {
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

  test('records each request with its bytes and headers, in order', async () => {
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

  test('answers in turn, then always with the last answer', async () => {
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

  test('resets, hangs and delays', async () => {
    consumer.behave(inTurn('reset', 'hang', { delayMs: 50 }));
    await expect(post('1')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    await expect(post('2')).rejects.toThrow(/timeout/);
    const before = performance.now();
    expect((await post('3')).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(45);
  });

  test('fails the wait when a behaviour throws', async () => {
    consumer.behave(() => {
      throw new Error('a broken test');
    });
    await expect(post('1')).rejects.toThrow('fetch failed');
    await expect(consumer.waitFor(2)).rejects.toThrow('a broken test');
  });

  test('says how far it got when the deadline passes', async () => {
    await post('1');
    await expect(consumer.waitFor(2, 30)).rejects.toThrow('2 requests at the consumer, which has 1');
  });
});
