import { isTransient } from '../faults.js';

const TRIES = 4;

/** Does again what lost a race that a second try settles; `work` is a transaction and has changed nothing then. */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || tries >= TRIES) throw error;
    }
  }
}
