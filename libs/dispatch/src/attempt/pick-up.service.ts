import { CONFIG, type Config } from '#libs/config';
import { PIPELINE, MicroBatch, take, type Database, type NotTaken, type Taken } from '#libs/database';
import { LOGGER, Metrics, TRACING, type Logger, type Tracing } from '#libs/observability';
import type { Deliverable, DeliveryToEnqueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { Enqueuer } from '../enqueuer.js';
import { Gatekeeper } from '../gate/gatekeeper.js';
import { measured } from '../measured-batch.js';
import { AttemptService } from './attempt.service.js';
import { Slots } from './slots.js';

/** What the job does next: it has served its purpose, or the same job comes back. */
export type JobEnd = { readonly kind: 'done' } | { readonly kind: 'comeBack'; readonly delayMs: number };

const DONE: JobEnd = { kind: 'done' };

/**
 * Turns jobs into attempts. A job has served its purpose when PostgreSQL has leased its deliveries to this process, or
 * has said why not: from then on the lease, not the job, says whose they are, and a slow consumer keeps no job. So
 * many are being sent at once as this process has slots.
 */
@Injectable()
export class PickUp {
  private readonly takes: MicroBatch<string, Taken | NotTaken>;
  private readonly slots: Slots;
  private readonly underWay = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  /** Grows whenever a take is answered and whenever a slot is given back: as long as it does, deliveries go through. */
  progress = 0;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(PIPELINE) private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
    private readonly metrics: Metrics,
    private readonly attempts: AttemptService,
    private readonly enqueuer: Enqueuer,
    private readonly gatekeeper: Gatekeeper,
  ) {
    this.takes = new MicroBatch(measured(metrics, 'take', (ids) => this.takeAll(ids)));
    this.slots = new Slots(config.workerConcurrency);
  }

  /** Deliveries that are being taken, sent or recorded. */
  get inHand(): number {
    return this.slots.inUse;
  }

  /** @throws a fault of ours; the caller lets the whole job come back, which finds what was leased as it is */
  async pickUp(deliveries: readonly Deliverable[]): Promise<JobEnd> {
    const job = this.tracing.active();
    const picked = await Promise.allSettled(deliveries.map((delivery) => this.pickUpOne(delivery, job)));
    const later: DeliveryToEnqueue[] = [];
    let fault: { readonly reason: unknown } | undefined;
    for (const one of picked) {
      if (one.status === 'rejected') fault ??= { reason: one.reason };
      else if (one.value !== undefined) later.push(one.value);
    }
    const [only] = later;
    if (deliveries.length === 1 && only !== undefined)
      return { kind: 'comeBack', delayMs: only.dueInMs ?? 0 };
    this.enqueuer.enqueue(later);
    if (fault !== undefined) throw fault.reason;
    return DONE;
  }

  /** Begins nothing more; what only waited for a slot is left to others. */
  stop(): void {
    this.slots.stop();
  }

  /** Resolves when nothing is in hand any more. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  /** Ends waiting for a PostgreSQL that is away: what is not recorded by now is taken up when its lease ends. */
  abandon(): void {
    this.stopping.abort();
  }

  /** @returns the delivery, if it wants a job of its own at its time */
  private async pickUpOne(
    delivery: Deliverable,
    job: string | undefined,
  ): Promise<DeliveryToEnqueue | undefined> {
    await this.slots.acquire();
    let isSent = false;
    try {
      const askedAt = performance.now();
      const taken = await this.takes.add(delivery.deliveryId);
      if (taken.kind !== 'taken') return whenLater(delivery, taken);
      isSent = true;
      const sending = this.attempts.attempt(taken, askedAt, this.stopping.signal, job).finally(() => {
        this.underWay.delete(sending);
        this.slots.release();
        this.progress += 1;
      });
      this.underWay.add(sending);
      return undefined;
    } finally {
      if (!isSent) this.slots.release();
    }
  }

  private async takeAll(ids: readonly string[]): Promise<(Taken | NotTaken)[]> {
    const answers = await take(this.db, ids);
    this.progress += 1;
    const atGates = new Set<string>();
    for (const answer of answers) {
      if (answer.kind !== 'held' || answer.atGateOf === null) continue;
      this.metrics.holds.inc({ reason: answer.reason });
      atGates.add(answer.atGateOf);
    }
    this.gatekeeper.putOnHold([...atGates]);
    return answers;
  }
}

function whenLater(delivery: Deliverable, answer: NotTaken): DeliveryToEnqueue | undefined {
  switch (answer.kind) {
    case 'finished':
    case 'held':
    // Whoever has it finishes it, or its lease ends and it is let go anew.
    case 'leased':
      return undefined;
    case 'not_due':
      return { ...delivery, consumerId: answer.consumerId, dueInMs: Math.max(1, answer.waitMs) };
    case 'unusable':
      throw new Error('its event, or credentials that are in force, cannot be found; restore them');
  }
}
