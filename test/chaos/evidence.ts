import type { AcceptedEvent, Arrival, FaultDone, ServiceLimits, Takeover } from '#test/chaos/observations';

/** What a run has left, by which it is judged. */
export interface Evidence {
  readonly accepted: readonly AcceptedEvent[];
  /** In the order of their start. */
  readonly arrivals: readonly Arrival[];
  /** The different bodies that arrived, by notification. */
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>;
  readonly history: History;
  readonly faults: readonly FaultDone[];
  /** Consumers that acknowledge everything in time, so that a session always sends to them. */
  readonly steady: ReadonlySet<string>;
  readonly takeovers: readonly Takeover[];
  /** Null: how long consumers have no session is only measured. */
  readonly limits: ServiceLimits | null;
  /** Violations that producers or the scenario have noticed. */
  readonly noticed: readonly string[];
}

/** PostgreSQL's rows at the end of a run. Times are in milliseconds since 1970, by PostgreSQL's clock. */
export interface History {
  readonly deliveries: readonly DeliveryRow[];
  readonly attempts: readonly AttemptRow[];
  /** Openings of consumers' sessions; earlier sessions must record nothing after one. */
  readonly openings: readonly {
    readonly consumer_id: string;
    readonly session: number;
    readonly opened_ms: number;
  }[];
  /** Requests in flight of sessions that were left: such a session still records them. */
  readonly holds: readonly { readonly delivery_id: string; readonly held_ms: number }[];
  /** Deliveries that are still pending. */
  readonly pending: number;
  /** `events.body` by notification. */
  readonly bodies: ReadonlyMap<string, string>;
}

export interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly consumer_id: string;
  readonly state: string;
  readonly attempts: number;
}

export interface AttemptRow {
  readonly delivery_id: string;
  readonly number: number;
  readonly outcome: string;
  readonly started_ms: number;
  readonly duration_ms: number;
  /** When its record was committed. */
  readonly recorded_ms: number;
}
