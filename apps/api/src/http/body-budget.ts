import { TooManyRequestsError } from './too-many-requests.js';

const MIB = 1024 * 1024;

/**
 * Bytes of bodies that a process has under way. A body of 4.7 MB takes up to 35 MB while it is parsed, checked and
 * accepted: these 40 MiB need 300 MB of the heap of 512 MB, and of the container's 768 MB.
 */
const MOST_BYTES = 40 * MIB;
/** Of these, bytes of one key: half, so that one producer leaves room to the others. */
const MOST_BYTES_OF_KEY = 20 * MIB;
/** The same for consumers, whose bodies have some kilobytes. */
const MOST_BYTES_OF_CONSUMERS = 8 * MIB;
const MOST_BYTES_OF_CONSUMER = MIB;
const RETRY_AFTER_MS = 1_000;

/** Bounds the bodies that are read, checked and accepted at the same time, for the process and for each key. */
export class BodyBudget {
  private used = 0;
  private readonly usedBy = new Map<string, number>();

  constructor(
    private readonly most = MOST_BYTES,
    private readonly mostOfKey = MOST_BYTES_OF_KEY,
  ) {}

  /** Bytes under way. */
  get bytes(): number {
    return this.used;
  }

  /**
   * Takes the bytes of a body, before it is read. A key always gets one body.
   * @returns gives them back; further calls have no effect
   * @throws TooManyRequestsError 429 when the key, 503 when the process has too much under way
   */
  take(key: string, bytes: number): () => void {
    const ofKey = this.usedBy.get(key) ?? 0;
    if (ofKey > 0 && ofKey + bytes > this.mostOfKey)
      throw new TooManyRequestsError('bodies', RETRY_AFTER_MS, OF_KEY);
    if (this.used + bytes > this.most)
      throw new TooManyRequestsError('bodies', RETRY_AFTER_MS, OF_PROCESS, 503);
    this.used += bytes;
    this.usedBy.set(key, ofKey + bytes);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.used -= bytes;
      const left = (this.usedBy.get(key) ?? 0) - bytes;
      if (left > 0) this.usedBy.set(key, left);
      else this.usedBy.delete(key);
    };
  }
}

/** The budget of consumers' keys and people. */
export const consumersBudget = (): BodyBudget =>
  new BodyBudget(MOST_BYTES_OF_CONSUMERS, MOST_BYTES_OF_CONSUMER);

const OF_KEY =
  'This key has too many bodies under way. Wait for the answers to its other requests, then send this one again.';
const OF_PROCESS = 'Too many bodies are under way. Send the same request again after Retry-After.';
