/** A status change as a producer sends it. */
export interface SentChange {
  readonly eventType: string;
  readonly eventDateTime: string;
  readonly data: object;
}

/** A status change that a producer was answered 202 for: a promise. */
export interface PromisedEvent {
  readonly notificationId: string;
  /** Event type and payment id: what order is kept within. */
  readonly payment: string;
  /** Its place in the payment's order of acceptance, from 0. */
  readonly place: number;
  /** Ids of the consumers that it is for. */
  readonly consumers: readonly string[];
  readonly sent: SentChange;
  /** When its 202 was there. */
  readonly promisedAtMs: number;
}

/**
 * One POST as it reached a consumer. Steps count what happened at all consumers together: of two steps, the lower
 * one was first, whatever the clock's grain.
 */
export interface Arrival {
  readonly consumer: string;
  readonly notificationId: string;
  readonly beganStep: number;
  readonly beganAtMs: number;
  /** Null: not (yet) answered with 2xx over a connection that still stood. */
  acknowledgedStep: number | null;
  acknowledgedAtMs: number | null;
  /** When it was answered or its connection broke; null while neither. */
  endedAtMs: number | null;
  /** SHA-256 of the body's bytes. */
  readonly bodyHash: string;
  /** `verified`, or why the consumer must not believe it. */
  readonly signature: string;
}

/** A fault as it was done. */
export interface FaultDone {
  readonly label: string;
  readonly beganAtMs: number;
  /** When nothing was done to the system any more: a process was started again, a link was whole. */
  readonly undoneAtMs?: number;
  /** When what it disturbed was whole again: the process was ready, the server answered. */
  readonly endedAtMs: number;
  /** POSTs that were open at the consumers when it began. */
  readonly inFlight: number;
  /** What came of it, where that does not go without saying. */
  readonly effect?: string | undefined;
}

/** The key of one event's delivery to one consumer. */
export const deliveryKey = (notificationId: string, consumer: string): string =>
  `${notificationId} ${consumer}`;
