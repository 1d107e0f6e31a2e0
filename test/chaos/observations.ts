/** A status change as a producer posts it. */
export interface SentChange {
  readonly eventType: string;
  readonly eventDateTime: string;
  readonly data: object;
}

/** A status change that was answered with 202, so that it has to be delivered. */
export interface AcceptedEvent {
  readonly notificationId: string;
  /** Event type and payment id; deliveries of one payment are in order. */
  readonly payment: string;
  /** Its position in the payment's order of acceptance, from 0. */
  readonly position: number;
  /** Ids of the consumers that receive it. */
  readonly consumers: readonly string[];
  readonly sent: SentChange;
  /** When the 202 was received. */
  readonly acceptedAtMs: number;
}

/**
 * One POST as a consumer received it. Sequence numbers order the events at all consumers, independently of the clock's
 * resolution.
 */
export interface Arrival {
  readonly consumer: string;
  /** Which worker sent it; null if unknown. */
  readonly worker: number | null;
  readonly notificationId: string;
  readonly beganSequence: number;
  readonly beganAtMs: number;
  /** Null while it is not answered with 2xx over an open connection. */
  acknowledgedSequence: number | null;
  acknowledgedAtMs: number | null;
  /** When it was answered or its connection closed; null before. */
  endedAtMs: number | null;
  /** SHA-256 of the body. */
  readonly bodyHash: string;
  /** `verified`, or why the consumer has to refuse it. */
  readonly signature: string;
}

/** A fault that was executed. */
export interface FaultDone {
  readonly label: string;
  /** The only worker that it disturbed; undefined for a fault of an api, a server or a link. */
  readonly worker: number | undefined;
  readonly beganAtMs: number;
  /** End of the disturbance: a process was started again, a link was normal. */
  readonly undoneAtMs?: number;
  /** End of the recovery: the process was ready, the server answered. */
  readonly endedAtMs: number;
  /** POSTs in progress at the consumers when it began. */
  readonly inFlight: number;
  /** What the fault did, if its label does not say it. */
  readonly effect?: string | undefined;
}

/** The key of one event's delivery to one consumer. */
export const deliveryKey = (notificationId: string, consumer: string): string =>
  `${notificationId} ${consumer}`;
