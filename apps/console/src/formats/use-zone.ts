import { useSyncExternalStore } from 'react';
import { localZone, UTC, type Zone } from './moment-in-words';

const KEPT_AS = 'times';

const listeners = new Set<() => void>();
let zone: Zone = window.localStorage.getItem(KEPT_AS) === 'local' ? localZone() : UTC;

/** Shows every time in UTC, or where the browser is; kept by the browser. */
export function chooseTimes(which: 'utc' | 'local'): void {
  window.localStorage.setItem(KEPT_AS, which);
  zone = which === 'local' ? localZone() : UTC;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The zone that every time is shown and typed in. */
export const useZone = (): Zone => useSyncExternalStore(subscribe, () => zone);
