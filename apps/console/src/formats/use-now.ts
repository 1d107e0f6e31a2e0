import { useSyncExternalStore } from 'react';

const TICK_MS = 5_000;

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all relative times of a page, so that they change together. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The present in milliseconds since the epoch, not older than 5 s. */
export const useNow = (): number =>
  useSyncExternalStore(subscribe, () => {
    if (timer === undefined) now = Date.now();
    return now;
  });
