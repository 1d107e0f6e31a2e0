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
  readonly notificationId: string;
  readonly beganSequence: number;
  readonly beganAtMs: number;
  /** Null while it is not answered with 2xx over an open connection. */
  acknowledgedSequence: number | null;
  acknowledgedAtMs: number | null;
  /** `verified`, or why the consumer has to refuse it. */
  readonly signature: string;
}

/** A fault that was executed. */
export interface FaultDone {
  readonly label: string;
  readonly beganAtMs: number;
  /** End of the disturbance: a process was started again, a link was normal. */
  readonly endedAtMs: number;
  /** POSTs in progress at the consumers when it began. */
  readonly inFlight: number;
  /** What the fault did, if its label does not say it. */
  readonly effect?: string | undefined;
  /** Consumers rightly refuse what a worker signs meanwhile. */
  readonly signsWrongTime?: boolean;
}

/** A time in which a consumer may wait for longer: a worker is dead or cut off, and its lock has to run out first. */
export interface Takeover {
  readonly fromMs: number;
  untilMs: number;
}

/** How long a consumer with due deliveries may have no session, in milliseconds. */
export interface ServiceLimits {
  readonly usualMs: number;
  readonly takeoverMs: number;
}

/** The key of one event's delivery to one consumer. */
export const deliveryKey = (notificationId: string, consumer: string): string =>
  `${notificationId} ${consumer}`;

/** What all consumers have seen. */
export class ObservationLog {
  readonly arrivals: Arrival[] = [];
  /** The different bodies that arrived, by notification. */
  readonly bodies = new Map<string, Set<string>>();
  /** Keys of acknowledged deliveries. */
  readonly acknowledged = new Set<string>();
  private readonly openAt = new Map<string, number>();
  private sequence = 0;

  /** POSTs in progress now. */
  get open(): number {
    return [...this.openAt.values()].reduce((sum, open) => sum + open, 0);
  }

  /** POSTs to this consumer in progress now. */
  openTo(consumer: string): number {
    return this.openAt.get(consumer) ?? 0;
  }

  /** Notes that a POST to this consumer has begun (1) or ended (-1). */
  countOpen(consumer: string, change: 1 | -1): void {
    this.openAt.set(consumer, this.openTo(consumer) + change);
  }

  nextSequence(): number {
    return (this.sequence += 1);
  }

  keepBody(notificationId: string, body: string): void {
    const known = this.bodies.get(notificationId);
    if (known === undefined) this.bodies.set(notificationId, new Set([body]));
    else known.add(body);
  }
}
