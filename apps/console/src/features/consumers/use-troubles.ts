import { useMemo } from 'react';
import { useQueue } from '../overview/use-queue';
import type { Trouble } from './consumer-health';

/** What the queue's state says of each consumer in trouble, by its id; empty until it is known. */
export function useTroubles(): ReadonlyMap<string, Trouble> {
  const { data } = useQueue();
  return useMemo(() => new Map(data?.trouble.map((each) => [each.consumerId, each])), [data]);
}
