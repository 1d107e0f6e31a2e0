import type { TimestampUnit } from '#libs/contracts';
import type { Lane } from './release-next-in-lane.js';

/** A delivery that is this worker's until its lease ends: all that one attempt needs. */
export interface Taken {
  readonly kind: 'taken';
  readonly deliveryId: string;
  readonly lease: number;
  /** Of the job that brought it; one that is let go anew has the next. */
  readonly round: number;
  /** From the moment of the take; what is sent later may meet another worker's attempt. */
  readonly leaseMs: number;
  /** Let through an open circuit. */
  readonly probe: boolean;
  /** Number of the attempt that is about to be made, over the delivery's whole life. */
  readonly attempt: number;
  /** Attempts already made in the current run through the schedule. */
  readonly scheduleStep: number;
  readonly notificationId: string;
  readonly consumerId: string;
  /** Null: it belongs to no payment. */
  readonly lane: Lane | null;
  readonly body: string;
  /** The trace that its event belongs to; undefined when there is none. */
  readonly traceparent: string | undefined;
  readonly acceptedAt: Date;
  readonly url: string;
  /** PEM of the consumer's private authority; null: the public ones. */
  readonly caCertificate: string | null;
  readonly timeoutMs: number;
  readonly timestampUnit: TimestampUnit;
  readonly retrySchedule: readonly number[] | null;
  readonly credentialVersion: number;
}
