import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomBytes, randomUUID } from 'node:crypto';
import { achExample, type AcceptedDto } from '#libs/contracts';
import { Customer } from '#test/support/customer';
import { OwnRedis } from '#test/support/own-redis';
import { SpanCollector } from '#test/support/span-collector';
import type { StartedProcess } from '#test/support/started-process';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const STEPS = ['accept', 'deliver', 'send', 'record'];

let collector: SpanCollector;
let redis: OwnRedis;
let system: System;
let acme: Customer;
beforeAll(async () => {
  [collector, redis] = await Promise.all([SpanCollector.start(), OwnRedis.create({ durable: false })]);
  system = await System.start({
    backend: 'redis',
    redisUrl: redis.url,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
  });
  acme = await Customer.onboard(system.client, {
    retrySchedule: [1, 1],
    behaviour: ({ time, paymentId }) =>
      paymentId.startsWith('failing') && time === 1 ? { status: 503 } : {},
  });
});
afterAll(async () => {
  await system.stop();
  await Promise.all([redis.remove(), collector.close()]);
});

const change = (transactionId: string): object => {
  const example = achExample({ transactionId });
  example.data.achEventInfo.debtor.achCompanyId = acme.company;
  return example;
};

const newTraceparent = (flags = '01'): string =>
  `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-${flags}`;
const traceIdIn = (traceparent: unknown): string => String(traceparent).split('-')[1] ?? '';

/** Posts a change with a producer's trace, and waits for the acknowledgement. */
async function deliver(transactionId: string, headers: Record<string, string> = {}): Promise<AcceptedDto> {
  const { status, body } = await system.client.call<AcceptedDto>(
    'POST',
    '/v1/events',
    change(transactionId),
    {
      headers,
    },
  );
  expect(status).toBe(202);
  await acme.waitForAcknowledged([body]);
  return body;
}

const arrivalsOf = ({ notificationId }: AcceptedDto) =>
  acme.arrivals.filter((arrival) => arrival.notificationId === notificationId);

/** A process's log line about a notification, which is written a moment after the event. */
const lineOf = (
  process: StartedProcess,
  notificationId: string,
  message: string,
): Promise<Record<string, unknown>> =>
  waitUntil(
    () => {
      const line = process.output
        .split('\n')
        .find((text) => text.includes(notificationId) && text.includes(`"msg":"${message}"`));
      const parsed: Record<string, unknown> = JSON.parse(line ?? 'null');
      return parsed;
    },
    { what: `the log line "${message}" of ${notificationId}` },
  );

const worker = (): StartedProcess => {
  const [first] = system.workers;
  if (first === undefined) throw new Error('no worker runs');
  return first;
};

describe('trace', () => {
  test('a trace connects the producer’s request with the consumer through api and worker', async () => {
    const traceparent = newTraceparent();
    const accepted = await deliver(randomUUID(), { traceparent });

    const all = await collector.trace(traceIdIn(traceparent), ...STEPS);
    expect(all.map(({ service, name }) => [service, name])).toEqual([
      ['dispatcher-api', 'accept'],
      ['dispatcher-worker', 'deliver'],
      ['dispatcher-worker', 'send'],
      ['dispatcher-worker', 'record'],
    ]);
    const [accept, delivery, send, record] = all;
    expect(accept?.parentSpanId).toBe(traceparent.split('-')[2]);
    expect(delivery?.parentSpanId).toBe(accept?.spanId);
    for (const step of [send, record]) expect(step?.parentSpanId).toBe(delivery?.spanId);
    for (const { startedAt, endedAt } of all) expect(endedAt).toBeGreaterThanOrEqual(startedAt);

    const [arrival] = arrivalsOf(accepted);
    expect(arrival?.verdict).toBe('verified');
    expect(arrival?.request.headers['traceparent']).toBe(
      `00-${traceIdIn(traceparent)}-${send?.spanId ?? ''}-01`,
    );
  });

  test('a trace contains each attempt of a batch, and no span of the queue, whose jobs have many payments', async () => {
    const traceparent = newTraceparent();
    const events = Array.from({ length: 5 }, () => change(randomUUID()));
    await system.client.call('POST', '/v1/events/batch', { events }, { headers: { traceparent } });
    const spans = await waitUntil(
      () => {
        const own = collector.spans.filter((span) => span.traceId === traceIdIn(traceparent));
        return own.filter(({ name }) => name === 'record').length === 5 && own;
      },
      { what: 'the spans of five attempts' },
    );
    expect(new Set(spans.map(({ name }) => name))).toEqual(new Set(STEPS));
    expect(new Set(collector.spans.map(({ library }) => library))).toEqual(
      new Set(['payment-notification-dispatcher']),
    );
  });

  test('a trace and the log lines of a notification have the same ids', async () => {
    const traceparent = newTraceparent();
    const accepted = await deliver(randomUUID(), { traceparent });
    const traceId = traceIdIn(traceparent);
    const { notificationId } = accepted;
    expect(await lineOf(system.api, notificationId, 'event.accepted')).toMatchObject({
      notificationId,
      traceId,
    });
    const deliveryId = accepted.deliveries[0]?.deliveryId;
    expect(await lineOf(worker(), notificationId, 'delivery.attempted')).toMatchObject({
      notificationId,
      deliveryId,
      traceId,
    });
    const spans = await collector.trace(traceId, ...STEPS);
    const attributes = new Map(spans.flatMap((span) => Object.entries(span.attributes)));
    expect(Object.fromEntries(attributes)).toMatchObject({
      'dispatcher.notification_id': notificationId,
      'dispatcher.delivery_id': deliveryId,
      'dispatcher.outcome': 'acknowledged',
    });
  });

  test('a trace contains each attempt of a delivery, also after Redis was emptied', async () => {
    const traceparent = newTraceparent();
    await system.client.setSending('pause');
    const { body } = await system.client.call<AcceptedDto>(
      'POST',
      '/v1/events',
      change(`failing-${randomUUID()}`),
      {
        headers: { traceparent },
      },
    );
    await redis.stop({ hard: true });
    await redis.start();
    await system.client.setSending('resume');
    await acme.waitForAcknowledged([body]);

    const ids = arrivalsOf(body).map(({ request }) => request.headers['traceparent']?.toString().split('-'));
    expect(ids.map((parts) => parts?.[1])).toEqual([traceIdIn(traceparent), traceIdIn(traceparent)]);
    expect(new Set(ids.map((parts) => parts?.[2])).size).toBe(2);
    const spans = await waitUntil(
      () => {
        const sends = collector.spans.filter(
          (span) => span.traceId === traceIdIn(traceparent) && span.name === 'send',
        );
        return sends.length === 2 && sends;
      },
      { what: 'the spans of both attempts' },
    );
    expect(spans.map(({ fault }) => fault)).toEqual(['http_status', undefined]);
  });

  test('a trace that its producer does not sample is passed on and not exported', async () => {
    const traceparent = newTraceparent('00');
    const [arrival] = arrivalsOf(await deliver(randomUUID(), { traceparent }));
    expect(arrival?.request.headers['traceparent']).toMatch(
      new RegExp(`^00-${traceIdIn(traceparent)}-[\\da-f]{16}-00$`),
    );
    const next = newTraceparent();
    await deliver(randomUUID(), { traceparent: next });
    await collector.trace(traceIdIn(next), ...STEPS);
    expect(collector.spans.filter(({ traceId }) => traceId === traceIdIn(traceparent))).toEqual([]);
  });

  test('a trace begins at the api when the producer sends none or a malformed one', async () => {
    for (const given of [undefined, 'garbage']) {
      const headers: Record<string, string> = given === undefined ? {} : { traceparent: given };
      const [arrival] = arrivalsOf(await deliver(randomUUID(), headers));
      const traceId = traceIdIn(arrival?.request.headers['traceparent']);
      expect(traceId).toMatch(/^[\da-f]{32}$/);
      const [accept] = await collector.trace(traceId, ...STEPS);
      expect(accept?.parentSpanId).toBe('');
    }
  });

  test('a trace contains no secret, account number or consumer address', () => {
    const exported = JSON.stringify(collector.spans, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const { creditor, debtor } = achExample().data.achEventInfo;
    for (const secret of [creditor.account.accountId, debtor.account.accountId, acme.server.url, 'Basic'])
      expect(exported).not.toContain(secret);
    expect(collector.spans.length).toBeGreaterThan(20);
  });
});

describe('Redis that is connected but does not answer', () => {
  const ask = async (process: StartedProcess, path: string): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${process.baseUrl}${path}`);
    return { status: answer.status, text: await answer.text() };
  };

  test('a worker whose Redis does not answer is alive and not ready, and recovers by itself', async () => {
    expect((await ask(worker(), '/metrics')).text).toMatch(/^dispatcher_worker_consuming 1$/m);
    expect((await ask(system.api, '/metrics')).text).toMatch(/^dispatcher_part_up\{part="redis"\} 1$/m);

    process.kill(redis.pid, 'SIGSTOP');
    try {
      const { text } = await waitUntil(
        async () => {
          const answer = await ask(worker(), '/readyz');
          return answer.status === 503 && answer;
        },
        { what: 'the worker not to be ready', everyMs: 200 },
      );
      expect(JSON.parse(text)).toMatchObject({
        status: 'unavailable',
        checks: { postgres: 'ok', worker: expect.stringMatching(/^the queue has not answered for \d+ s$/) },
      });
      expect((await ask(worker(), '/livez')).status).toBe(200);
      expect((await ask(system.api, '/readyz')).status).toBe(200);
      expect((await ask(worker(), '/metrics')).text).toMatch(/^dispatcher_worker_consuming 0$/m);
      const { text: figures } = await ask(system.api, '/metrics');
      expect(figures).toMatch(/^dispatcher_part_up\{part="redis"\} 0$/m);
      expect(figures).toMatch(/^dispatcher_workers_alive 1$/m);
      expect(figures).not.toMatch(/^dispatcher_queue_jobs\{/m);
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    await worker().waitForReady();
    await deliver(randomUUID());
  });
});

test('the metrics show deliveries and the state of the installation', async () => {
  const accepted = (await deliver(randomUUID())).notificationId;
  await lineOf(worker(), accepted, 'delivery.attempted');
  const figuresOf = async (process: StartedProcess) => {
    const text = await (await fetch(`${process.baseUrl}/metrics`)).text();
    return (series: string): number =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.slice(series.length + 1),
      );
  };
  const api = await figuresOf(system.api);
  const sender = await figuresOf(worker());
  expect(api('dispatcher_events_accepted_total{event_type="ach.status"}')).toBe(acme.acknowledged.length);
  expect(api('dispatcher_events_accepted_total{event_type="wire.status"}')).toBe(0);
  expect(sender('dispatcher_attempts_total{outcome="acknowledged"}')).toBe(acme.acknowledged.length);
  expect(sender('dispatcher_accept_to_delivered_seconds_count')).toBe(acme.acknowledged.length);
  expect(sender('dispatcher_batch_items_sum{batch="record"}')).toBe(acme.arrivals.length);
  expect(sender('dispatcher_worker_slots')).toBe(512);
  expect(sender('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  expect(api('dispatcher_pending_deliveries{state="queued",reason=""}')).toBe(0);
  expect(api('dispatcher_pending_deliveries{state="held",reason="circuit"}')).toBe(0);
  expect(api('dispatcher_circuits{state="closed"}')).toBe(1);
  expect(api('dispatcher_circuits{state="open"}')).toBe(0);
  expect(api('dispatcher_workers_alive')).toBe(1);
  expect(api('dispatcher_sending_paused')).toBe(0);
  expect(api('dispatcher_consumers_without_job')).toBe(0);
});
