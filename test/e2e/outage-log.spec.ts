import { describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Customer } from '#test/support/customer';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';
import type { StartedProcess } from '#test/support/started-process';
import { achSequence } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const BEGIN = 'queue.unreachable';
const END = 'queue.recovered';
const ONCE_EACH = [
  [BEGIN, END],
  [BEGIN, END],
];

/** The messages about the queue that each process has logged since the call. */
function queueMessages(processes: readonly StartedProcess[]): () => string[][] {
  const since = processes.map(({ output }) => output.length);
  return () =>
    processes.map(({ output }, index) =>
      [...output.slice(since[index]).matchAll(/"msg":"([^"]*queue[^"]*)"/g)].map(
        ([, message = '']) => message,
      ),
    );
}

/**
 * Stops the queue's server until the worker reports that it does not consume, and starts it again.
 * @returns the messages of api and worker about the queue
 */
async function outage(system: System, server: OwnPostgres | OwnRedis): Promise<string[][]> {
  const messages = queueMessages([system.api, ...system.workers]);
  await server.stop();
  await waitUntil(() => system.workers[0]?.output.includes('worker.not_consuming'), {
    what: 'the worker to report that it does not consume',
  });
  await server.start();
  await waitUntil(() => messages().every((logged) => logged.includes(END)), {
    what: () => `each process to log that the outage is over; logged: ${JSON.stringify(messages())}`,
  });
  return messages();
}

describe('log of an outage of the queue', () => {
  test('each process logs an outage of Redis in one line with its cause, and its end in another', async () => {
    const redis = await OwnRedis.create();
    const system = await System.start({ backend: 'redis', redisUrl: redis.url });
    try {
      const acme = await Customer.onboard(system.client);
      const [events, messages] = await Promise.all([
        (async () => {
          await waitUntil(() => system.api.output.includes(BEGIN), { what: 'the api to log the outage' });
          return system.client.acceptAll(achSequence(acme.company, randomUUID()));
        })(),
        outage(system, redis),
      ]);
      await acme.waitForAcknowledged(events);
      expect(messages).toEqual(ONCE_EACH);
      for (const { output } of [system.api, ...system.workers]) {
        expect(output).toMatch(new RegExp(`"fault":"[^"]*ECONNREFUSED[^"]*","msg":"${BEGIN}"`));
        expect(output).toMatch(new RegExp(`"lastedMs":\\d+,"msg":"${END}"`));
      }
    } finally {
      await system.stop();
      await redis.remove();
    }
  });

  test('each process logs an outage of the queue on PostgreSQL in one line, and its end in another', async () => {
    const postgres = await OwnPostgres.create();
    const system = await System.start({ backend: 'postgres', databaseUrl: postgres.adminUrl });
    try {
      expect(await outage(system, postgres)).toEqual(ONCE_EACH);
    } finally {
      await system.stop();
      await postgres.remove();
    }
  });
});
