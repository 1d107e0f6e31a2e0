import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { AuditListDto } from '#apps/api/src/resources/audit/audit.dto';
import type { ConsumerListDto } from '#apps/api/src/resources/consumers/consumer.dto';
import type { DeliveryDetailDto } from '#apps/api/src/resources/deliveries/delivery.dto';
import type { NotificationListDto } from '#apps/api/src/resources/notifications/notification.dto';
import type { PaymentDetailDto } from '#apps/api/src/resources/payments/payment.dto';
import { expect, it } from 'vitest';
import { wireExample } from '#libs/contracts';
import { v7 as uuidv7 } from 'uuid';
import { memoryOf } from '#test/fuzz/memory';
import { acceptLargeNotifications, LARGE_BYTES } from '#test/support/large-notifications';
import { runSql } from '#test/support/run-sql';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const RECORDS = 60;
const NOTIFICATIONS = '/v1/notifications?limit=1000';
/** A quarter of the heap in production, so that a quarter of the data fills it. */
const HEAP_MIB = 128;
/** An idle api has about 150 MiB, its heap may grow to 128 MiB, and 100 lists hold 25 to 50 MiB outside the heap. */
const MOST_RESIDENT_MIB = 420;

const system = await System.start({ backend: 'redis', workers: 0, apiHeapMiB: HEAP_MIB });

const consumerKey = await acceptLargeNotifications(system, RECORDS);

/** A list, and the key to read it with. */
interface ListRequest {
  readonly path: string;
  readonly key: string;
}

/** The beginning of the answer. Repeats the request while the api is too busy. */
async function beginReading({ path, key }: ListRequest): Promise<Response> {
  return waitUntil(
    async () => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`${system.api.baseUrl}${path}`, { headers });
      if (answer.status === 200) return answer;
      await answer.arrayBuffer();
      return null;
    },
    { what: 'the api to begin a list' },
  );
}

/** The digest of a whole answer. Twenty answers are too large to keep in the test. */
async function digestOf({ body }: Response): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of body ?? []) hash.update(part);
  return hash.digest('hex');
}

/** A client that requests the list and never reads the answer. */
async function connectWithoutReading({ path, key }: ListRequest): Promise<Socket> {
  const socket = connect(system.api.port, '127.0.0.1')
    .on('error', () => undefined)
    .pause();
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
  return socket;
}

/** The largest resident memory of the api during some work, among samples. */
async function mostResidentDuring(work: Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  const sample = async (): Promise<void> => {
    samples.push((await memoryOf(system.api.baseUrl)).residentMiB);
  };
  const timer = setInterval(() => void sample().catch(() => undefined), 250);
  await work.finally(() => clearInterval(timer));
  await sample();
  return Math.max(...samples);
}

/** Requests a list many times at once. Each reader gets the whole list, and the api stays within its memory. */
async function readManyTimes(
  request: ListRequest,
  reading: number,
  notReading: number,
  digest = digestOf,
): Promise<string> {
  const text = await (await beginReading(request)).text();
  expect(text.length).toBeGreaterThan(RECORDS * LARGE_BYTES);
  const idle = await Promise.all(Array.from({ length: notReading }, () => connectWithoutReading(request)));
  const digests = Promise.all(
    Array.from({ length: reading }, async () => digest(await beginReading(request))),
  );
  const outcome = await Promise.race([
    mostResidentDuring(digests),
    system.api.exited.then(() => system.api.output.match(/FATAL ERROR.*/)?.[0] ?? 'the api has ended'),
  ]);
  for (const socket of idle) socket.destroy();
  expect(outcome).toEqual(expect.any(Number));
  expect(outcome).toBeLessThan(MOST_RESIDENT_MIB);
  const expected = await digest(new Response(text));
  expect(await digests).toEqual(Array.from({ length: reading }, () => expected));
  return text;
}

it('the api stays within its heap with a hundred open lists of large notifications, most of them unread', async () => {
  const text = await readManyTimes({ path: NOTIFICATIONS, key: consumerKey }, 20, 80);
  const list: NotificationListDto = JSON.parse(text);
  expect(new Set(list.events.map((event) => event['notificationId'])).size).toBe(RECORDS);
  expect(list.pagination).toEqual({ offset: String(RECORDS), moreRecords: false });
});

const ATTEMPTS = 1_000;

it('the api stays within its heap when a delivery with a thousand attempts is read many times at once', async () => {
  const [delivery] = await runSql<{ id: string }>(
    system.databaseUrl,
    `insert into attempts (delivery_id, number, started_at, duration_ms, outcome, http_status, detail, url,
       credential_version, request_headers, response_headers, response_body, response_truncated, probe)
     select d.id, n, now(), 1, 'http_status', 500, '', '', 1, '{}',
       jsonb_build_object('x-long', repeat(md5(n::text), 500)), repeat('x', 4096), true, true
     from (select id from pending_deliveries limit 1) d, generate_series(1, ${String(ATTEMPTS)}) n
     returning delivery_id as id`,
  );
  const path = `/v1/deliveries/${delivery?.id ?? ''}`;
  const text = await readManyTimes({ path, key: system.adminKey }, 5, 30);
  const detail: DeliveryDetailDto = JSON.parse(text);
  expect(detail.attempts.map(({ number }) => number)).toEqual(
    Array.from({ length: ATTEMPTS }, (_, index) => index + 1),
  );
});

it('the api stays within its heap when an audit log of large changes is read many times at once', async () => {
  await runSql(
    system.databaseUrl,
    `insert into audit_log (actor, action, target, before, after)
     select 'large', 'consumer.changed', n::text, change, change
     from generate_series(1, ${String(RECORDS)}) n,
          lateral (select jsonb_build_object('achCompanyIds', repeat(md5(n::text), 4000)) as change)`,
  );
  const text = await readManyTimes({ path: '/v1/audit?actor=large&limit=1000', key: system.adminKey }, 5, 30);
  const { entries, pagination }: AuditListDto = JSON.parse(text);
  expect(entries.map(({ target }) => Number(target))).toEqual(
    Array.from({ length: RECORDS }, (_, index) => RECORDS - index),
  );
  expect(pagination).toEqual({ offset: String(RECORDS), moreRecords: false });
});

/** The digest of a list of consumers without their health, which changes every second. */
async function digestWithoutHealth(answer: Response): Promise<string> {
  const { consumers }: ConsumerListDto = JSON.parse(await answer.text());
  const settings = consumers.map((consumer) => ({ ...consumer, health: undefined }));
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}

it('the api stays within its heap when consumers of many companies are listed many times at once', async () => {
  await runSql(
    system.databaseUrl,
    `with added as (
       insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments,
         timestamp_unit, ordering, timeout_ms, max_concurrency, ca_certificates)
       select gen_random_uuid(), 'Acme', 'https://consumer.example/', '{ach.status}',
         array(select lpad(c::text, 250, '0') from generate_series(1, 1000) c),
         array(select lpad(c::text, 250, '0') from generate_series(1, 200) c), false,
         'seconds', 'payment', 10000, 64, '[]'
       from generate_series(1, ${String(RECORDS)})
       returning id)
     insert into consumer_runtime (consumer_id) select id from added`,
  );
  const text = await readManyTimes(
    { path: '/v1/consumers?limit=1000', key: system.adminKey },
    2,
    15,
    digestWithoutHealth,
  );
  const { consumers }: ConsumerListDto = JSON.parse(text);
  expect(new Set(consumers.map(({ id }) => id)).size).toBe(RECORDS + 1);
});

it('a payment of many statuses shows each status once, in order', async () => {
  const paymentId = uuidv7();
  const accepted = await system.client.acceptAll(
    Array.from({ length: 45 }, (_, index) => wireExample({ paymentId, OMAD: `the ${String(index)}th` })),
  );
  const path = `/v1/payments/wire/${paymentId}`;
  const { body } = await system.client.call<PaymentDetailDto>('GET', path);
  expect(body.statuses.map(({ notificationId }) => notificationId)).toEqual(
    accepted.map(({ notificationId }) => notificationId),
  );
  expect(body).toMatchObject({ kind: 'wire', paymentId, statusCount: 45 });
});
