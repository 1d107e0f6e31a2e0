import type { QueueOptions } from 'bullmq';

/** A connected backend, Redis or PostgreSQL, with what BullMQ's classes need of it. */
export interface QueueBackend {
  readonly options: Pick<QueueOptions, 'connection' | 'prefix'>;
  /** Maximum number of timers set in one call. */
  readonly maxTimersPerCall: number;
  /** Whether a command would be answered now; a command sent while Redis is unreachable would wait in memory. */
  isReachable(): boolean;
  /** Resolves when a BullMQ queue or worker can work, without waiting for Redis; rejects when it never will. */
  ready(part: { waitUntilReady(): Promise<unknown> }): Promise<void>;
  /** Calls the listener each time the connection to Redis is back after it was lost. */
  onReconnect(listener: () => void): void;
  /** Messages to the processes that listen; a lost one is not sent again. Null: the backend has none. */
  readonly messages: {
    publish(text: string): void;
    /** @returns whether messages arrive at present */
    listen(listener: (text: string) => void): () => boolean;
  } | null;
  /** The server that must run in addition to PostgreSQL; null if none. */
  readonly server: { readonly name: 'redis'; ping(): Promise<unknown>; lastFault(): string | null } | null;
  close(): Promise<void>;
}
