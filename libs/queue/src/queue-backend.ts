import type { QueueOptions } from 'bullmq';

/** A backend chosen and connected: what BullMQ's classes are given, whichever it is. */
export interface QueueBackend {
  readonly options: Pick<QueueOptions, 'connection' | 'prefix'>;
  /** Timers that are set in one call at most. */
  readonly mostTimersInBulk: number;
  /** Whether a command would be answered now; a command sent while Redis is unreachable would wait in memory. */
  isReachable(): boolean;
  /** Resolves when this part of BullMQ's can work; rejects when it never will. Redis may be away, and is waited for later. */
  ready(part: { waitUntilReady(): Promise<unknown> }): Promise<void>;
  /** Calls back each time the backend can be reached again after it was lost. */
  onReconnect(listener: () => void): void;
  /** The server that must be up besides PostgreSQL; null where there is none. */
  readonly server: { readonly name: 'redis'; ping(): Promise<unknown>; lastFault(): string | null } | null;
  close(): Promise<void>;
}
