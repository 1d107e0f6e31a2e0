import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { verifyBasic, verifyNotification } from '#libs/signing';
import { startConsumer, type ConsumerServer, type ReceivedRequest } from '#test/support/consumer-server';
import { Producers } from '#test/support/producers';
import { achChange } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

/** The contract's limit until a cut-over of credentials is in force on every worker. */
const IN_FORCE_WITHIN_MS = 2_000;
const COMPANY = 'ROTATING';
const PRODUCERS = 3;
/** Notifications that must arrive before and after each cut-over. */
const ENOUGH = 40;

/** A consumer that accepts both versions during a cut-over, and records the version of each notification. */
class OverlapConsumer {
  readonly seen: { version: number; sentAtMs: number }[] = [];
  readonly refused: ReceivedRequest[] = [];

  constructor(
    private readonly server: ConsumerServer,
    private readonly versions: readonly { signingSecret: string; username: string; password: string }[],
  ) {
    server.behave((request) => {
      const version = 1 + this.versions.findIndex((credentials) => this.isSignedWith(request, credentials));
      if (version === 0) {
        this.refused.push(request);
        return { status: 401 };
      }
      this.seen.push({ version, sentAtMs: Number(request.headers['x-timestamp']) });
      return {};
    });
  }

  /** The versions that were sent in a period. */
  between(fromMs: number, toMs = Infinity): number[] {
    return this.seen.flatMap(({ version, sentAtMs }) =>
      sentAtMs > fromMs && sentAtMs < toMs ? [version] : [],
    );
  }

  /** Waits until enough notifications were sent after a time. */
  async sentAfter(ms: number): Promise<number[]> {
    await waitUntil(() => this.between(ms).length >= ENOUGH, {
      what: () => `${ENOUGH} notifications after the expected time, not ${this.between(ms).length}`,
    });
    return this.between(ms);
  }

  private isSignedWith(
    { headers, body }: ReceivedRequest,
    { signingSecret, username, password }: { signingSecret: string; username: string; password: string },
  ): boolean {
    const verified = verifyNotification({
      secret: signingSecret,
      url: this.server.url,
      rawBody: body,
      timestamp: headers['x-timestamp']?.toString(),
      signature: headers['x-signature']?.toString(),
      unit: 'milliseconds',
      nowMs: Date.now(),
    });
    return verified.ok && verifyBasic(headers.authorization, username, password);
  }
}

function* payments(): Generator<object> {
  while (true) yield achChange(COMPANY, randomUUID());
}

describe.each(QUEUE_BACKENDS)('a cut-over of credentials under traffic, with the queue on %s', (backend) => {
  let system: System;
  let server: ConsumerServer;
  beforeAll(async () => {
    [system, server] = await Promise.all([System.start({ backend, workers: 2 }), startConsumer()]);
  });
  afterAll(() => Promise.all([system.stop(), server.close()]));

  test('a cut-over of credentials is in force on every worker within 2 s, loses no notification, and can be reverted', async () => {
    const { client } = system;
    const [old, next] = [
      { signingSecret: 'whsec_before_the_cut_over', username: 'bank', password: 'old password' },
      { signingSecret: 'whsec_after_the_cut_over', username: 'bank', password: 'new password' },
    ];
    const { id } = await client.registerConsumer({
      name: 'Rotating',
      url: server.url,
      eventTypes: ['ach.status'],
      achCompanyIds: [COMPANY],
      timestampUnit: 'milliseconds',
      signingSecret: old.signingSecret,
      credentials: { username: old.username, password: old.password },
    });
    const consumer = new OverlapConsumer(server, [old, next]);
    const producers = Producers.start(client, PRODUCERS, payments);
    await consumer.sentAfter(0);

    const activateAt = new Date(Date.now() + 3_000);
    await client.addCredentials(id, {
      signingSecret: next.signingSecret,
      password: next.password,
      activateAt: activateAt.toISOString(),
    });
    const activateAtMs = activateAt.getTime();
    const afterwards = await consumer.sentAfter(activateAtMs + IN_FORCE_WITHIN_MS);
    expect(new Set(consumer.between(0, activateAtMs))).toEqual(new Set([1]));
    expect(new Set(afterwards)).toEqual(new Set([2]));

    await client.activateCredentials(id, 1);
    const reverted = await consumer.sentAfter(Date.now() + IN_FORCE_WITHIN_MS);
    expect(new Set(reverted)).toEqual(new Set([1]));

    const accepted = await producers.finish();
    await waitUntil(() => consumer.seen.length >= accepted.length, {
      what: () => `${accepted.length} notifications, not ${consumer.seen.length}, to arrive`,
    });
    expect(consumer.refused).toEqual([]);
    expect(producers.refusals).toEqual([]);
  });
});
