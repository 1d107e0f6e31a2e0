import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyBasic, verifyNotification } from '#libs/signing';
import { healthy, type Behaviour } from '#test/chaos/behaviours';
import type { ObservationLog } from '#test/chaos/observation-log';
import { deliveryKey, type Arrival } from '#test/chaos/observations';
import { workerAt } from '#test/chaos/sender';
import type { ApiClient } from '#test/support/api-client';
import { freePort } from '#test/support/free-port';

const USERNAME = 'the-bank';
const PASSWORD = 'pässword of the bank';

export interface ConsumerPlan {
  readonly name: string;
  readonly companies: readonly string[];
  readonly behaviour: Behaviour;
  /** It acknowledges every POST well within its timeout. */
  readonly isSteady: boolean;
  readonly timeoutMs: number;
  readonly retrySchedule: readonly number[];
  /** Open POSTs at most; absent: the product's default. */
  readonly maxConcurrency?: number;
}

/** A consumer that checks and records every POST before it reacts. */
export class ChaosConsumer {
  consumerId = '';
  private secret = '';
  private startedAtMs = performance.now();
  private behaviour: Behaviour;
  /** It closes no idle connection, so the consumer never causes a broken connection. */
  private readonly server = createServer({ keepAliveTimeout: 600_000 }, (message, response) => {
    this.serve(message, response).catch(() => response.destroy());
  });

  static async register(
    client: ApiClient,
    plan: ConsumerPlan,
    observationLog: ObservationLog,
  ): Promise<ChaosConsumer> {
    const consumer = new ChaosConsumer(plan, observationLog, await freePort());
    await consumer.listen();
    const { id, signingSecret = '' } = await client.registerConsumer({
      name: plan.name,
      url: consumer.url,
      eventTypes: ['ach.status', 'wire.status'],
      achCompanyIds: plan.companies,
      wireCompanyIds: plan.companies,
      credentials: { username: USERNAME, password: PASSWORD },
      timeoutMs: plan.timeoutMs,
      retrySchedule: plan.retrySchedule,
      ...(plan.maxConcurrency === undefined ? {} : { maxConcurrency: plan.maxConcurrency }),
    });
    consumer.consumerId = id;
    consumer.secret = signingSecret;
    return consumer;
  }

  private constructor(
    readonly plan: ConsumerPlan,
    private readonly observationLog: ObservationLog,
    private readonly port: number,
  ) {
    this.behaviour = plan.behaviour;
  }

  startClock(): void {
    this.startedAtMs = performance.now();
  }

  behave(behaviour: Behaviour): void {
    this.behaviour = behaviour;
  }

  /** Makes a failing consumer healthy. */
  async recover(): Promise<void> {
    if (!this.plan.isSteady) this.behaviour = healthy;
    await this.updateListening();
  }

  /** Starts or stops listening according to its present behaviour. */
  async updateListening(): Promise<void> {
    const refuses = this.reaction() === 'refuse';
    if (refuses && this.server.listening) await this.close();
    else if (!refuses && !this.server.listening) await this.listen();
  }

  /** Stops listening and closes all connections. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  private reaction = (): ReturnType<Behaviour> => this.behaviour(performance.now() - this.startedAtMs);

  private listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.port, '127.0.0.1', () => resolve());
    });
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const beganSequence = this.observationLog.nextSequence();
    const beganAtMs = Date.now();
    // A connection that has closed has no address.
    const worker = workerAt(message.socket.remoteAddress);
    const began = { worker, beganSequence, beganAtMs };
    const arrival = this.record(await buffer(message), message, began);
    this.observationLog.countOpen(this.consumerId, 1);
    response.once('close', () => {
      arrival.endedAtMs = Date.now();
      this.observationLog.countOpen(this.consumerId, -1);
      if (!response.writableFinished) this.acknowledge(arrival, false);
    });
    const reaction = this.reaction();
    if (arrival.signature !== 'verified') response.writeHead(401).end();
    else if (reaction === 'reset' || reaction === 'refuse') message.socket.resetAndDestroy();
    else if (reaction !== 'hang') {
      if (reaction.delayMs > 0) await pause(reaction.delayMs);
      await reaction.when;
      if (response.destroyed) return;
      if (reaction.status === 200) this.acknowledge(arrival, true);
      response.writeHead(reaction.status).end();
    }
  }

  /** Called before the answer is written, so that everything that follows from it has a later sequence number. */
  private acknowledge(arrival: Arrival, isAcknowledged: boolean): void {
    arrival.acknowledgedSequence = isAcknowledged ? this.observationLog.nextSequence() : null;
    arrival.acknowledgedAtMs = isAcknowledged ? Date.now() : null;
    if (isAcknowledged)
      this.observationLog.acknowledged.add(deliveryKey(arrival.notificationId, arrival.consumer));
  }

  private record(
    bytes: Buffer,
    { headers }: IncomingMessage,
    began: Pick<Arrival, 'worker' | 'beganSequence' | 'beganAtMs'>,
  ): Arrival {
    const { notificationId }: { notificationId: string } = JSON.parse(bytes.toString());
    const bodyHash = createHash('sha256').update(bytes).digest('hex');
    const arrival: Arrival = {
      consumer: this.consumerId,
      notificationId,
      ...began,
      acknowledgedSequence: null,
      acknowledgedAtMs: null,
      endedAtMs: null,
      bodyHash,
      signature: this.check(headers, bytes),
    };
    this.observationLog.arrivals.push(arrival);
    this.observationLog.keepBody(notificationId, bodyHash, bytes.toString());
    return arrival;
  }

  private check(headers: IncomingMessage['headers'], rawBody: Buffer): string {
    if (!verifyBasic(headers.authorization, USERNAME, PASSWORD)) return 'credentials_wrong';
    const verification = verifyNotification({
      secret: this.secret,
      url: this.url,
      rawBody,
      timestamp: headers['x-timestamp']?.toString(),
      signature: headers['x-signature']?.toString(),
      unit: 'seconds',
      nowMs: Date.now(),
    });
    return verification.ok ? 'verified' : verification.fault;
  }
}
