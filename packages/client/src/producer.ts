import { createClient, type DispatcherClientOptions } from './create-client.js';
import { EventQueue, type QueueLimits } from './event-queue.js';
import { PendingEvent, type Accepted, type StatusChange } from './pending-event.js';

export interface ProducerOptions extends DispatcherClientOptions, Partial<QueueLimits> {
  /** An API key with the role `producer`. */
  readonly apiKey: string;
}

export interface PostOptions {
  /** Names this event within the producer for 7 days, 1 to 255 characters. By default a new UUID. */
  readonly idempotencyKey?: string;
  /**
   * Ends the wait for the answer with an `UnavailableError`, whose `cause` is the signal's reason. An event that was not
   * sent yet is not sent; one that was sent may be accepted.
   */
  readonly signal?: AbortSignal;
}

/** Posts events to the dispatcher, in the order of the calls. */
export interface Producer {
  /**
   * Posts an event, together with those that are posted at the same time, and repeats a request that was not decided.
   * @returns the answer; the event is committed
   * @throws RefusedError when the dispatcher refused it; UnavailableError when nothing was decided before the deadline
   */
  post(event: StatusChange, options?: PostOptions): Promise<Accepted>;
  /** Sends the waiting events at once. Resolves when every posted event has its result, and never rejects. */
  flush(): Promise<void>;
  /** Refuses further events, then does what `flush` does. */
  close(): Promise<void>;
}

const DEFAULTS: QueueLimits = { lingerMs: 2, timeoutMs: 10_000, deadlineMs: 60_000 };

/**
 * Creates a producer. It needs no memory, timer or request unless an event is pending.
 * @throws TypeError when `baseUrl` or `apiKey` cannot be in a request
 */
export function createProducer({
  lingerMs = DEFAULTS.lingerMs,
  timeoutMs = DEFAULTS.timeoutMs,
  deadlineMs = DEFAULTS.deadlineMs,
  ...client
}: ProducerOptions): Producer {
  // Otherwise each request would fail like one without a connection, and be repeated.
  if (!URL.canParse(client.baseUrl)) throw new TypeError('baseUrl must be an absolute URL.');
  if (!/^[\x21-\x7e]+$/.test(client.apiKey))
    throw new TypeError('apiKey must be printable ASCII without spaces.');
  const queue = new EventQueue(createClient(client), { lingerMs, timeoutMs, deadlineMs });
  let isClosed = false;

  return {
    async post(event, { idempotencyKey = crypto.randomUUID(), signal } = {}) {
      if (isClosed) throw new Error('The producer is closed.');
      const pending = new PendingEvent(event, idempotencyKey, Date.now());
      const abort = (): void => pending.giveUp('The caller ended the wait.', signal?.reason);
      if (signal?.aborted === true) abort();
      else queue.add(pending);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        return await pending.result;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    flush: () => queue.flush(),
    close: () => {
      isClosed = true;
      return queue.flush();
    },
  };
}
