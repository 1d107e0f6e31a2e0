import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyBasic, verifyNotification } from '#libs/signing';
import { healthy, type Behaviour } from '#test/chaos/behaviours';
import type { ObservationLog } from '#test/chaos/observation-log';
import { deliveryKey, type Arrival } from '#test/chaos/observations';
import type { ApiClient } from '#test/support/api-client';
import { freePort } from '#test/support/free-port';

const USERNAME = 'the-bank';
const PASSWORD = 'pässword of the bank';

export interface CustomerPlan {
  readonly name: string;
  readonly companies: readonly string[];
  readonly behaviour: Behaviour;
  /** It acknowledges every POST well within its timeout, from the first to the last. */
  readonly isSteady: boolean;
  readonly timeoutMs: number;
  readonly retrySchedule: readonly number[];
}

/** A corporate customer: a consumer that checks and writes down every POST before it reacts. */
export class Customer {
  consumerId = '';
  private secret = '';
  private startedAtMs = performance.now();
  private behaviour: Behaviour;
  /** It closes no idle connection: whatever breaks one was not the consumer. */
  private readonly server = createServer({ keepAliveTimeout: 600_000 }, (message, response) => {
    this.serve(message, response).catch(() => response.destroy());
  });

  /** Starts it and registers it. */
  static async onboard(
    client: ApiClient,
    plan: CustomerPlan,
    observationLog: ObservationLog,
  ): Promise<Customer> {
    const customer = new Customer(plan, observationLog, await freePort());
    await customer.listen();
    const { id, signingSecret = '' } = await client.registerConsumer({
      name: plan.name,
      url: customer.url,
      eventTypes: ['ach.status', 'wire.status'],
      achCompanyIds: plan.companies,
      wireCompanyIds: plan.companies,
      credentials: { username: USERNAME, password: PASSWORD },
      timeoutMs: plan.timeoutMs,
      retrySchedule: plan.retrySchedule,
    });
    customer.consumerId = id;
    customer.secret = signingSecret;
    return customer;
  }

  private constructor(
    readonly plan: CustomerPlan,
    private readonly observationLog: ObservationLog,
    private readonly port: number,
  ) {
    this.behaviour = plan.behaviour;
  }

  /** The load begins: behaviours count from now. */
  begin(): void {
    this.startedAtMs = performance.now();
  }

  /** Behaves differently from now on. */
  behave(behaviour: Behaviour): void {
    this.behaviour = behaviour;
  }

  /** Is healthy from now on, if it has not always been. */
  async calmDown(): Promise<void> {
    if (!this.plan.isSteady) this.behaviour = healthy;
    await this.listenOrNot();
  }

  /** Begins or ends listening, as its behaviour has it at this moment. */
  async listenOrNot(): Promise<void> {
    const refuses = this.react() === 'refuse';
    if (refuses && this.server.listening) await this.close();
    else if (!refuses && !this.server.listening) await this.listen();
  }

  /** Stops listening and breaks every connection. */
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

  private react = (): ReturnType<Behaviour> => this.behaviour(performance.now() - this.startedAtMs);

  private listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.port, '127.0.0.1', () => resolve());
    });
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const beganStep = this.observationLog.nextStep();
    const beganAtMs = Date.now();
    const arrival = this.writeDown(await buffer(message), message, beganStep, beganAtMs);
    this.observationLog.countOpen(this.consumerId, 1);
    response.once('close', () => {
      arrival.endedAtMs = Date.now();
      this.observationLog.countOpen(this.consumerId, -1);
      if (!response.writableFinished) this.acknowledge(arrival, false);
    });
    const reaction = this.react();
    if (reaction === 'reset' || reaction === 'refuse') message.socket.resetAndDestroy();
    else if (reaction !== 'hang') {
      if (reaction.delayMs > 0) await pause(reaction.delayMs);
      await reaction.when;
      if (response.destroyed) return;
      if (reaction.status === 200) this.acknowledge(arrival, true);
      response.writeHead(reaction.status).end();
    }
  }

  /** Before the answer is written, so that whatever follows from it has a later step. */
  private acknowledge(arrival: Arrival, isSo: boolean): void {
    arrival.acknowledgedStep = isSo ? this.observationLog.nextStep() : null;
    arrival.acknowledgedAtMs = isSo ? Date.now() : null;
    if (isSo) this.observationLog.acknowledged.add(deliveryKey(arrival.notificationId, arrival.consumer));
  }

  private writeDown(
    bytes: Buffer,
    { headers }: IncomingMessage,
    beganStep: number,
    beganAtMs: number,
  ): Arrival {
    const { notificationId }: { notificationId: string } = JSON.parse(bytes.toString());
    const bodyHash = createHash('sha256').update(bytes).digest('hex');
    const arrival: Arrival = {
      consumer: this.consumerId,
      notificationId,
      beganStep,
      beganAtMs,
      acknowledgedStep: null,
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
    if (!verifyBasic(headers.authorization, USERNAME, PASSWORD)) return 'not the bank';
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
