import { setTimeout as delay } from 'node:timers/promises';
import {
  PIPELINE,
  holdForSecret,
  keepHealth,
  mendSecretFault,
  MicroBatch,
  releaseForFreed,
  releaseForProbes,
  secretFaults,
  topUp,
  type ConsumerObservations,
  type Database,
  type Taken,
  type Transition,
} from '#libs/database';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import type { CredentialCache } from '#libs/vault';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CREDENTIALS } from '../doors.js';
import { Enqueuer } from '../enqueuer.js';
import { measured } from '../measured-batch.js';
import { byConsumer, type EndedAttempt } from './ended-attempt.js';

/** What a stop waits for the gates to be seen to; the reconciler does what is left. */
const SETTLE_WITHIN_MS = 2_000;

/**
 * Keeps the consumers' gates: after each attempt the next held delivery goes, health is kept, circuits open and
 * close, and what was put on hold is looked at once more. All of it behind the caller's back, after a commit, and
 * repeatable: what a crash leaves undone here the reconciler does.
 */
@Injectable()
export class Gatekeeper implements OnApplicationShutdown {
  private readonly underWay = new Set<Promise<void>>();
  private readonly ended: MicroBatch<EndedAttempt, void>;
  private readonly rechecks: MicroBatch<string, void>;

  constructor(
    @Inject(PIPELINE) private readonly db: Database,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly enqueuer: Enqueuer,
  ) {
    const settle = async (attempts: readonly EndedAttempt[]): Promise<void[]> => {
      await this.settle(attempts);
      return attempts.map(() => undefined);
    };
    this.ended = new MicroBatch(measured(metrics, 'gate', settle));
    this.rechecks = new MicroBatch<string, void>(async (consumerIds) => {
      await this.fillWindows([...new Set(consumerIds)]);
      return consumerIds.map(() => undefined);
    });
  }

  /** An attempt was recorded: its slot is free, and its outcome says something of its consumer. */
  attemptEnded(attempt: EndedAttempt): void {
    this.behindTheBack(this.ended.add(attempt));
  }

  /** Deliveries of these consumers were put on hold, and what held them may have ended before that was committed. */
  putOnHold(consumerIds: readonly string[]): void {
    for (const id of consumerIds) this.behindTheBack(this.rechecks.add(id));
  }

  /**
   * Sends on their way what the gates of these consumers, or of all, let through now, a window of each.
   * @returns how many
   */
  async fillWindows(consumerIds?: readonly string[]): Promise<number> {
    const released = await topUp(this.db, consumerIds);
    this.enqueuer.enqueue(released);
    return released.length;
  }

  /** Sends a held delivery of each consumer whose circuit is open and whose probe is due. @returns how many */
  async sendProbes(): Promise<number> {
    const released = await releaseForProbes(this.db);
    this.enqueuer.enqueue(released);
    return released.length;
  }

  /** Its credentials cannot be decrypted: it waits, and so do the consumer's others. @throws our own faults */
  async holdForSecret(taken: Taken, fault: string): Promise<void> {
    const transition = await holdForSecret(this.db, taken, fault);
    if (transition !== undefined) this.tell([transition]);
  }

  /** Says what happened at gates, once it is committed. */
  tell(transitions: readonly Transition[]): void {
    for (const { consumerId, kind, details } of transitions) {
      this.metrics.gateTransitions.inc({ kind });
      this.logger.warn({ consumerId, ...details }, TOLD[kind]);
    }
  }

  /** Somebody has paused or resumed a consumer, or the whole queue: told like what happens by itself. */
  tellByHand(
    kind: 'paused' | 'resumed',
    target: { readonly consumerId: string } | { readonly target: 'queue' },
  ): void {
    this.metrics.gateTransitions.inc({ kind });
    this.logger.warn(target, `${kind} by hand`);
  }

  /** Tries again to open the credentials that could not be, of one consumer or of all. @returns how many can be now */
  async tryBrokenSecrets(of?: string): Promise<number> {
    let mended = 0;
    for (const { consumerId, version } of await secretFaults(this.db, of)) {
      const opens = await this.credentials.get(consumerId, version).then(
        () => true,
        () => false,
      );
      const transition = opens ? await mendSecretFault(this.db, consumerId) : undefined;
      if (transition === undefined) continue;
      this.tell([transition]);
      mended += 1;
    }
    return mended;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.race([Promise.all(this.underWay), delay(SETTLE_WITHIN_MS, undefined, { ref: false })]);
    await this.enqueuer.flush();
  }

  private async settle(attempts: readonly EndedAttempt[]): Promise<void> {
    const seen = byConsumer(attempts);
    // First, so that nothing more goes to a consumer whose circuit was opened by these.
    const failing = seen.filter(({ observations }) => observations.some((o) => !o.succeeded));
    await this.keepHealth(failing);
    const { released, ailing } = await releaseForFreed(
      this.db,
      seen.map(({ consumerId, observations }) => ({ consumerId, slots: observations.length })),
    );
    this.enqueuer.enqueue(released);
    await this.keepHealth(seen.filter((of) => ailing.has(of.consumerId) && !failing.includes(of)));
  }

  private async keepHealth(seen: readonly ConsumerObservations[]): Promise<void> {
    if (seen.length === 0) return;
    const { transitions, recovered } = await keepHealth(this.db, seen);
    this.tell(transitions);
    if (recovered.length > 0) await this.fillWindows(recovered);
  }

  private behindTheBack(work: Promise<void>): void {
    const settled = work
      .catch((error: unknown) => {
        this.metrics.internalFaults.inc({ step: 'gate' });
        const fault = faultText(error);
        this.logger.warn({ fault }, 'a gate was not seen to; the reconciler will');
      })
      .finally(() => this.underWay.delete(settled));
    this.underWay.add(settled);
  }
}

const TOLD: Readonly<Record<Transition['kind'], string>> = {
  circuit_opened: 'the consumer is down: its circuit is open and its deliveries wait',
  circuit_closed: 'the consumer is back: its circuit is closed and its deliveries go',
  probe_failed: 'the consumer is still down: a probe has failed',
  paused_by_consumer: 'the consumer answered 410 Gone and is paused until somebody resumes it',
  secret_fault:
    'the credentials cannot be decrypted; the deliveries wait until SECRETS_KEYRING holds their key',
  secret_mended: 'the credentials can be decrypted again, and the deliveries go',
};
