import { useSyncExternalStore } from 'react';
import { localZone, UTC, type Zone } from './moment-in-words';

const KEPT_AS = 'times';
const read = (): Zone => (window.localStorage.getItem(KEPT_AS) === 'local' ? localZone() : UTC);

const listeners = new Set<() => void>();
let zone = read();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows every time in UTC, or where the browser is; kept by the browser. */
export function chooseTimes(which: 'utc' | 'local'): void {
  window.localStorage.setItem(KEPT_AS, which);
  zone = read();
  for (const listener of listeners) listener();
}

/** The zone that every time is shown and typed in. */
export const useZone = (): Zone => useSyncExternalStore(subscribe, () => zone);
