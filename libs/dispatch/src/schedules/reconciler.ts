import { CONFIG, type Config } from '#libs/config';
import {
  cancelOfRemovedConsumers,
  DATABASE,
  makeMissingGates,
  overdue,
  patrolLanes,
  queuedFrom,
  rememberedMarker,
  rememberMarker,
  type ClaimedRun,
  type Database,
  type PlaceInQueue,
  type QueuedPage,
} from '#libs/database';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { DeliveryQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { v4 as uuidv4 } from 'uuid';
import { Gatekeeper } from '../gate/gatekeeper.js';
import { Mending } from './mending.js';
import type { ScheduledWork } from './scheduled-work.js';

/** A delivery that is due gets this long to be picked up before its job is taken for lost. */
const GRACE_MS = 5_000;
const PAGE = 2_000;
/** Of each consumer and sweep, so that the oldest of everybody's are looked at. */
const OVERDUE_OF_EACH = 200;
const PATROLLED = 500;
/** Of removed consumers; the next sweep goes on. */
const MOST_PAGES = 25;

/**
 * Brings the queue back in line with PostgreSQL, and PostgreSQL with itself: at boot, whenever Redis is back, and at
 * an interval; one worker at a time. Enqueueing again what has a job changes nothing.
 */
@Injectable()
export class Reconciler implements ScheduledWork {
  readonly name = 'reconcile';
  readonly everyMs: number;
  private hasForgotten = false;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(DATABASE) private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DeliveryQueue,
    private readonly gatekeeper: Gatekeeper,
    private readonly mending: Mending,
  ) {
    this.everyMs = config.reconcileIntervalMs;
  }

  /** Each step stands alone: one that fails does not keep the others from their work. */
  async run({ cursor }: ClaimedRun): Promise<{ cursor: string | null; fault: string | null }> {
    let next = cursor;
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      emptied_queue: () => this.refillEmptiedQueue(),
      former_shards: () => this.forgetFormerShards(),
      overdue: async () =>
        this.mending.enqueue(
          'overdue',
          await overdue(this.db, { graceMs: GRACE_MS, ofEach: OVERDUE_OF_EACH, limit: PAGE }),
        ),
      gate: () => this.seeToGates(),
      order: async () => {
        const patrolled = await patrolLanes(this.db, cursor, PATROLLED);
        next = patrolled.cursor;
        await this.mending.enqueue('order', patrolled.released);
      },
      removed_consumer: () => this.cancelOfRemovedConsumers(),
    };
    const faults: string[] = [];
    for (const [step, work] of Object.entries(steps)) {
      await work().catch((error: unknown) => {
        this.metrics.internalFaults.inc({ step: 'reconcile' });
        faults.push(`${step}: ${faultText(error)}`);
      });
    }
    return { cursor: next, fault: faults.length === 0 ? null : faults.join('; ') };
  }

  /** A shard without our mark holds none of our jobs: everything that should have one there gets it, whenever it is due. */
  private async refillEmptiedQueue(): Promise<void> {
    const remembered = await rememberedMarker(this.db);
    const emptied = await this.queue.shardsWithout(remembered);
    if (emptied.size === 0) return;
    let place: PlaceInQueue | null = null;
    do {
      const page: QueuedPage = await queuedFrom(this.db, place, PAGE);
      await this.mending.enqueue(
        'emptied_queue',
        page.deliveries.filter(({ consumerId }) => emptied.has(this.queue.shardOf(consumerId))),
      );
      place = page.next;
    } while (place !== null);
    await rememberMarker(this.db, await this.queue.mark(uuidv4()));
  }

  /** Once in a process's life: of several that are replaced one after the other, the last finds what all of them left. */
  private async forgetFormerShards(): Promise<void> {
    if (this.hasForgotten) return;
    const names = await this.queue.forgetFormerShards();
    if (names.length > 0) this.logger.info({ names }, 'former shards are removed');
    this.hasForgotten = true;
  }

  private async seeToGates(): Promise<void> {
    await makeMissingGates(this.db);
    this.mending.count('secret', await this.gatekeeper.tryBrokenSecrets());
    this.mending.count('gate', await this.gatekeeper.fillWindows());
  }

  private async cancelOfRemovedConsumers(): Promise<void> {
    for (let page = 0, cancelled = PAGE; page < MOST_PAGES && cancelled === PAGE; page += 1) {
      cancelled = await cancelOfRemovedConsumers(this.db, PAGE);
      this.mending.count('removed_consumer', cancelled);
    }
  }
}
