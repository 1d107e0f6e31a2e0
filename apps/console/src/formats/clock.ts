import { useSyncExternalStore } from 'react';
import { dayOf, localZone, UTC, type Zone } from './moment-in-words';

const TICK_MS = 5_000;

let now = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all relative times of a page, so that they change together. */
function subscribe(listener: () => void): () => void {
  watchers.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of watchers) each();
  }, TICK_MS);
  return () => {
    watchers.delete(listener);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function present(): number {
  if (timer === undefined) now = Date.now();
  return now;
}

/** The present in milliseconds since the epoch, not older than 5 s. */
export const useNow = (): number => useSyncExternalStore(subscribe, present);

/** `2026-11-22`; renders only when the day changes. */
export const useToday = (zone: Zone): string =>
  useSyncExternalStore(subscribe, () => dayOf(new Date(present()), zone));

const ZONE_KEPT_AS = 'times';
const chosenZone = (): Zone => (window.localStorage.getItem(ZONE_KEPT_AS) === 'local' ? localZone() : UTC);

const listeners = new Set<() => void>();
let zone = chosenZone();
const subscribeToZone = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows every time in UTC or in the browser's zone; stored in the browser. */
export function chooseTimes(which: 'utc' | 'local'): void {
  window.localStorage.setItem(ZONE_KEPT_AS, which);
  zone = chosenZone();
  for (const listener of listeners) listener();
}

/** The zone of every shown and typed time. */
export const useZone = (): Zone => useSyncExternalStore(subscribeToZone, () => zone);
