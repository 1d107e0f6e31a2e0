import { isTransient } from './faults.js';

const TRIES = 4;

/**
 * Repeats `work`, a transaction, after a deadlock, serialization failure or lock timeout, which has rolled it back.
 */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || tries >= TRIES) throw error;
    }
  }
}
