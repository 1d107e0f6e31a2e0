import { useSyncExternalStore } from 'react';
import { dayOf, type Zone } from './moment-in-words';

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

function read(): number {
  if (timer === undefined) now = Date.now();
  return now;
}

/** The present in milliseconds since the epoch, not older than 5 s. */
export const useNow = (): number => useSyncExternalStore(subscribe, read);

/** `2026-11-22`; draws anew when it changes, and not every 5 s. */
export const useToday = (zone: Zone): string =>
  useSyncExternalStore(subscribe, () => dayOf(new Date(read()), zone));
