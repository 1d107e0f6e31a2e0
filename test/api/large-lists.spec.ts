import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { NotificationListDto } from '#apps/api/src/notifications/notification.dto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { memoryOf } from '#test/fuzz/memory';
import { acceptLargeNotifications, LARGE_BYTES } from '#test/support/large-notifications';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const EVENTS = 60;
const READING = 20;
const NOT_READING = 80;
const PATH = '/v1/notifications?limit=1000';
/** A quarter of production's, so that a quarter of the data is enough to fill it. */
const HEAP_MIB = 128;
/** An idle api has some 150 MiB, its young generation may take 48, and 100 lists hold 25 of chunks. */
const MOST_RESIDENT_MIB = 420;

let system: System;
let key: string;

beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0, apiHeapMiB: HEAP_MIB });
  key = await acceptLargeNotifications(system, EVENTS);
});
afterAll(() => system.stop());

/** What the api answers with, asked again while it is too busy to begin. */
async function listed(): Promise<Response> {
  return waitUntil(
    async () => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`${system.api.baseUrl}${PATH}`, { headers });
      if (answer.status === 200) return answer;
      await answer.arrayBuffer();
      return null;
    },
    { what: 'a list to begin' },
  );
}

/** The whole of it, without keeping it: twenty lists at once are more than a test should hold. */
async function digestOf({ body }: Response): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of body ?? []) hash.update(part);
  return hash.digest('hex');
}

/** A client that asks for the list and takes nothing of it. */
async function neverReading(): Promise<Socket> {
  const socket = connect(system.api.port, '127.0.0.1')
    .on('error', () => undefined)
    .pause();
  await once(socket, 'connect');
  socket.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
  return socket;
}

/** The most that the api holds at any look while something happens. */
async function mostResidentDuring(work: Promise<unknown>): Promise<number> {
  const looks: number[] = [];
  const look = async (): Promise<void> => {
    looks.push((await memoryOf(system.api.baseUrl)).residentMiB);
  };
  const looking = setInterval(() => void look().catch(() => undefined), 250);
  await work.finally(() => clearInterval(looking));
  await look();
  return Math.max(...looks);
}

it('a hundred lists of large notifications at once, most of which nobody reads, stay within the heap', async () => {
  const text = await (await listed()).text();
  const list: NotificationListDto = JSON.parse(text);
  expect(new Set(list.events.map((event) => event['notificationId'])).size).toBe(EVENTS);
  expect(list.pagination).toEqual({ offset: String(EVENTS), moreRecords: false });
  expect(text.length).toBeGreaterThan(EVENTS * LARGE_BYTES);
  const digest = createHash('sha256').update(text).digest('hex');

  const idle = await Promise.all(Array.from({ length: NOT_READING }, neverReading));
  const digests = Promise.all(Array.from({ length: READING }, async () => digestOf(await listed())));
  const outcome = await Promise.race([
    mostResidentDuring(digests),
    system.api.exited.then(() => system.api.output.match(/FATAL ERROR.*/)?.[0] ?? 'the api has ended'),
  ]);
  for (const socket of idle) socket.destroy();
  expect(outcome).toEqual(expect.any(Number));
  expect(outcome).toBeLessThan(MOST_RESIDENT_MIB);
  expect(await digests).toEqual(Array.from({ length: READING }, () => digest));
});
