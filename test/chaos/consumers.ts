import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyBasic, verifyNotification } from '#libs/signing';
import { deliveryKey, type Arrival, type ObservationLog } from '#test/chaos/observations';
import { seededRandom, type SeededRandom } from '#test/chaos/seeded-random';
import type { ApiClient } from '#test/support/api-client';
import { freePort } from '#test/support/free-port';

/** How a consumer reacts to a POST. */
export type Reaction =
  /** It answers after `delayMs`, and not before `when`. */
  | { readonly status: number; readonly delayMs: number; readonly when?: Promise<void> }
  | 'reset'
  | 'hang'
  /** It does not listen. */
  | 'refuse';

/** The reaction at a time since the start of the load. Called for each POST, and regularly for `refuse`. */
export type Behaviour = (atMs: number) => Reaction;

const ok = (delayMs: number): Reaction => ({ status: 200, delayMs });

/** Acknowledges at once. */
export const healthy: Behaviour = () => ok(0);

/** Acknowledges after a time in this range. */
export const slow =
  (random: SeededRandom, lowMs: number, highMs: number): Behaviour =>
  () =>
    ok(random.integer(lowMs, highMs));

/** Alternates between 1 to 3 s of acknowledging and 1 to 3 s of answering 503, resetting or hanging. */
export function flapping(random: SeededRandom, totalMs: number): Behaviour {
  const ends: number[] = [];
  for (let atMs = 0; atMs < totalMs; ends.push(atMs)) atMs += random.integer(1_000, 3_000);
  return (atMs) => {
    const period = ends.findIndex((end) => atMs < end);
    if (period % 2 === 0 || period === -1) return ok(random.integer(0, 5));
    return random.pick<Reaction>([{ status: 503, delayMs: 0 }, 'reset', 'hang']);
  };
}

/** Acknowledges, except for 10 to 15 s in each minute in which it hangs; the same times for the same seed. */
export function hangingTogether(seed: number, totalMs: number): Behaviour {
  const random = seededRandom(seed);
  const hangs: { fromMs: number; untilMs: number }[] = [];
  for (let atMs = 0; atMs < totalMs; atMs += 60_000) {
    const fromMs = atMs + random.integer(1_000, 30_000);
    hangs.push({ fromMs, untilMs: fromMs + random.integer(10_000, 15_000) });
  }
  return (atMs) => (hangs.some(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs) ? 'hang' : ok(0));
}

/** Shorter than the long retry schedule. */
const LONGEST_OUTAGE_MS = 45_000;

/** Down for the second third of the run: it hangs at first, then it does not listen. */
export function downForAWhile(totalMs: number): Behaviour {
  const fromMs = totalMs / 3;
  const forMs = Math.min(totalMs / 3, LONGEST_OUTAGE_MS);
  return (atMs) => {
    if (atMs < fromMs || atMs >= fromMs + forMs) return ok(0);
    return atMs < fromMs + forMs / 2 ? 'hang' : 'refuse';
  };
}

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
  /** The most POSTs that it had open at once. */
  mostOpen = 0;
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

  private reaction = (): Reaction => this.behaviour(performance.now() - this.startedAtMs);

  private listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.port, '127.0.0.1', () => resolve());
    });
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = { beganSequence: this.observationLog.nextSequence(), beganAtMs: Date.now() };
    const arrival = this.record(await buffer(message), message, began);
    this.observationLog.countOpen(this.consumerId, 1);
    this.mostOpen = Math.max(this.mostOpen, this.observationLog.openTo(this.consumerId));
    response.once('close', () => {
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
    began: Pick<Arrival, 'beganSequence' | 'beganAtMs'>,
  ): Arrival {
    const { notificationId }: { notificationId: string } = JSON.parse(bytes.toString());
    const arrival: Arrival = {
      consumer: this.consumerId,
      notificationId,
      ...began,
      acknowledgedSequence: null,
      acknowledgedAtMs: null,
      signature: this.check(headers, bytes),
    };
    this.observationLog.arrivals.push(arrival);
    this.observationLog.keepBody(notificationId, bytes.toString());
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
