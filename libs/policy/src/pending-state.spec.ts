import { describe, expect, it } from '@jest/globals';
import type { HoldReason } from '#libs/contracts';
import {
  pendingStateOf,
  type ConsumerPendingState,
  type PendingDelivery,
  type PendingState,
  type WorkerReport,
} from './pending-state.js';

const NOW = new Date('2026-11-21T08:00:00.000Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1_000);

const DELIVERY: PendingDelivery = {
  id: 'delivery',
  consumerId: 'consumer',
  paymentId: 'payment',
  nextAttemptAt: ago(10),
  createdAt: ago(60),
  pendingSince: ago(60),
  earlierIsPending: false,
  recordRefusedAt: null,
};
const CONSUMER: ConsumerPendingState = {
  ordering: 'payment',
  pausedAt: null,
  secretFaultAt: null,
  circuitOpenedAt: null,
};
const WORKER: WorkerReport = { seenAt: ago(1), sending: [], atLimit: [] };

interface Situation {
  readonly delivery?: Partial<PendingDelivery>;
  readonly consumer?: Partial<ConsumerPendingState>;
  readonly dispatcherPausedAt?: Date;
  readonly worker?: Partial<WorkerReport>;
}

const pendingState = ({ delivery, consumer, dispatcherPausedAt, worker }: Situation): PendingState =>
  pendingStateOf(
    { ...DELIVERY, ...delivery },
    { ...CONSUMER, ...consumer },
    dispatcherPausedAt ?? null,
    [
      { ...WORKER, seenAt: ago(100), sending: ['another'] },
      { ...WORKER, ...worker },
    ],
    NOW,
  );
const held = (reason: HoldReason, since: Date): PendingState => ({ state: 'held', reason, since });

describe('pendingStateOf', () => {
  it('reports a delivery without a reason to hold as queued, due or not', () => {
    expect(pendingState({})).toEqual({ state: 'queued', nextAttemptAt: ago(10) });
    expect(pendingState({ delivery: { nextAttemptAt: ago(-10) } })).toEqual({
      state: 'queued',
      nextAttemptAt: ago(-10),
    });
  });

  const atLimit = { worker: { atLimit: ['consumer'] } };
  const circuit = { ...atLimit, consumer: { circuitOpenedAt: ago(30) } };
  const secret = { ...circuit, consumer: { ...circuit.consumer, secretFaultAt: ago(40) } };
  const paused = { ...secret, consumer: { ...secret.consumer, pausedAt: ago(50) } };
  const behind = { ...paused, delivery: { earlierIsPending: true } };
  const refused = { ...behind, delivery: { ...behind.delivery, recordRefusedAt: ago(55) } };
  const sending = { ...refused, worker: { ...atLimit.worker, sending: ['delivery'] } };
  it.each<[string, Situation, PendingState]>([
    ['it is being sent', sending, { state: 'sending' }],
    ['PostgreSQL refused the record of its attempt', refused, held('record', ago(55))],
    ['an earlier status of its payment is pending', behind, held('order', ago(60))],
    ['its consumer is paused', paused, held('paused', ago(50))],
    ['its consumer’s secret cannot be read', secret, held('secret', ago(40))],
    ['its consumer’s circuit is open', circuit, held('circuit', ago(30))],
    ['its consumer is at its limit', atLimit, held('concurrency', ago(10))],
  ])('reports the first state of a pending delivery that applies: %s', (_, situation, expected) => {
    expect(pendingState(situation)).toEqual(expected);
  });

  it.each<[string, Situation]>([
    ['its consumer receives statuses in any order', { consumer: { ordering: 'none' } }],
    ['it belongs to no payment', { delivery: { earlierIsPending: true, paymentId: null } }],
  ])('a delivery does not wait for an earlier status when %s', (_, situation) => {
    expect(pendingState({ delivery: { earlierIsPending: true }, ...situation }).state).toBe('queued');
  });

  it('reports a delivery as held since the earlier pause, of all sending or of the consumer', () => {
    expect(pendingState({ dispatcherPausedAt: ago(20) })).toEqual(held('paused', ago(20)));
    expect(pendingState({ dispatcherPausedAt: ago(20), consumer: { pausedAt: ago(30) } })).toEqual(
      held('paused', ago(30)),
    );
    expect(pendingState({ dispatcherPausedAt: ago(30), consumer: { pausedAt: ago(20) } })).toEqual(
      held('paused', ago(30)),
    );
  });

  it('reports a delivery as held by a limit only when it is due', () => {
    expect(pendingState({ ...atLimit, delivery: { nextAttemptAt: NOW } }).state).toBe('held');
    expect(pendingState({ ...atLimit, delivery: { nextAttemptAt: ago(-0.001) } }).state).toBe('queued');
  });

  it('reports a delivery as held since it is pending when the reason is older', () => {
    expect(pendingState({ consumer: { pausedAt: ago(600) } })).toEqual(held('paused', ago(60)));
  });

  it('ignores a worker’s report that is 6 seconds old', () => {
    const { worker } = sending;
    expect(pendingState({ worker: { ...worker, seenAt: ago(5.999) } }).state).toBe('sending');
    expect(pendingState({ worker: { ...worker, seenAt: ago(6) } }).state).toBe('queued');
    expect(pendingState({ worker: { atLimit: ['consumer'], seenAt: ago(6) } }).state).toBe('queued');
  });
});
