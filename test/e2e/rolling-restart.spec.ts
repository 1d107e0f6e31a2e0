import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { setTimeout as pause } from 'node:timers/promises';
import type { AcceptedDto } from '#libs/contracts';
import { ApiClient } from '#test/support/api-client';
import { Customer, type Arrival } from '#test/support/customer';
import type { StartedProcess } from '#test/support/started-process';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const CUSTOMERS = 4;
const PRODUCERS = 4;
/** The pause between two requests of one producer. */
const PACE_MS = 20;

/** A failed request, as its producer saw it. */
interface Refused {
  readonly status: number | 'no connection';
  readonly retryAfter: string | null;
}

/** A producer that alternates between both apis, and repeats a failed request at the other api. */
class Sender {
  readonly accepted: AcceptedDto[] = [];
  readonly refused: Refused[] = [];
  /** Requests that were accepted although their answer never arrived: their repetition is answered as a duplicate. */
  unanswered = 0;
  isOver = false;

  constructor(private readonly clients: readonly ApiClient[]) {}

  async send(changes: Iterable<object>): Promise<void> {
    for (const change of changes) {
      if (this.isOver) return;
      this.accepted.push(await this.untilAccepted(change));
      await pause(PACE_MS);
    }
  }

  private async untilAccepted(change: object): Promise<AcceptedDto> {
    for (let tries = this.accepted.length; ; tries += 1) {
      const client = this.clients[tries % this.clients.length];
      const answer = await client?.call<AcceptedDto>('POST', '/v1/events', change).catch(() => undefined);
      if (answer?.status === 202) {
        if (answer.body.duplicate) this.unanswered += 1;
        return answer.body;
      }
      this.refused.push({
        status: answer?.status ?? 'no connection',
        retryAfter: answer?.headers.get('retry-after') ?? null,
      });
      await pause(PACE_MS);
    }
  }
}

let system: System;
let redis: Redis;
let customers: Customer[];
let apis: StartedProcess[];
beforeAll(async () => {
  redis = new Redis(process.env['TEST_REDIS_URL'] ?? '');
  system = await System.start({ backend: 'redis', workers: 2 });
  apis = [system.api, await system.startApi()];
  customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, () =>
      Customer.onboard(system.client, {
        retrySchedule: [1, 1, 1],
        // So that retries wait in the queue at each restart.
        behaviour: ({ status, time }) => (status === 'PROCESSED' && time === 1 ? { status: 503 } : {}),
      }),
    ),
  );
});
afterAll(async () => {
  redis.disconnect();
  await system.stop();
});

test('a rolling restart under load loses, duplicates and reorders no status, and no producer gets an error', async () => {
  const payments = new Map<string, Customer>();
  const senders = Array.from(
    { length: PRODUCERS },
    () => new Sender(apis.map(({ baseUrl }) => new ApiClient(baseUrl, system.adminKey))),
  );
  function* lives(): Generator<object> {
    for (;;) {
      const customer = customers[payments.size % customers.length];
      if (customer === undefined) return;
      const payment = randomUUID();
      payments.set(payment, customer);
      yield* achSequence(customer.company, payment);
    }
  }
  const sending = Promise.all(senders.map((sender) => sender.send(lives())));
  const progress = async (): Promise<void> => {
    const before = senders.map(({ accepted }) => accepted.length);
    await waitUntil(
      () =>
        senders.every(({ accepted }, index) => accepted.length >= (before[index] ?? 0) + ACH_SEQUENCE.length),
      { what: 'every producer to send more statuses' },
    );
  };

  await progress();
  for (const process of [...apis, ...system.workers]) {
    expect(await process.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await system.startAgain(process);
    await progress();
  }
  for (const sender of senders) sender.isOver = true;
  await sending;

  for (const sender of senders) {
    expect(sender.unanswered).toBe(0);
    for (const { status, retryAfter } of sender.refused)
      expect(status === 'no connection' || (status === 503 && retryAfter !== null)).toBe(true);
  }
  const accepted = senders.flatMap((sender) => sender.accepted);
  for (const customer of customers) {
    const own = accepted.filter(({ deliveries }) => deliveries[0]?.consumerId === customer.consumerId);
    await customer.waitForAcknowledged(own);
    const acknowledged = customer.arrivals.filter(({ isAcknowledged }) => isAcknowledged);
    expect(await Promise.all(repeatsIn(acknowledged).map((repeat) => rowsOf(repeat)))).toEqual([]);
  }
  for (const [payment, customer] of payments) {
    const statuses = customer.statusesOf(payment);
    expect(statuses).toEqual(ACH_SEQUENCE.slice(0, statuses.length));
  }
  await waitUntil(async () => (await redis.llen(`${system.queueNamespace}:deliveries:wait`)) === 0, {
    what: 'the queue to be empty',
  });
});

/** Notifications that were acknowledged twice. */
const repeatsIn = (acknowledged: readonly Arrival[]): Arrival[] =>
  acknowledged.filter(
    (arrival, index) =>
      acknowledged.findIndex(({ notificationId }) => notificationId === arrival.notificationId) !== index,
  );

/** The rows of a repeated delivery, for debugging a failure. */
async function rowsOf({ notificationId }: Arrival): Promise<unknown> {
  const [delivery] = (await system.client.event(notificationId)).deliveries;
  return {
    notificationId,
    ...(delivery === undefined ? {} : await system.client.delivery(delivery.deliveryId)),
  };
}
