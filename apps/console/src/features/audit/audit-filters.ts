import { useMemo } from 'react';
import type { Filter } from '../../tables/filter-bar';
import { useAllConsumers } from '../consumers/use-all-consumers';
import { AUDIT_ACTS } from './audit-acts';
import { targetOf } from './audit-target';

export const AUDIT_FILTERS = ['actor', 'action', 'target', 'from', 'to'] as const;
type Name = (typeof AUDIT_FILTERS)[number];

const ACTIONS = Object.entries(AUDIT_ACTS).map(([value, { label }]) => ({ value, label }));

/** Seldom needed. */
export const MORE_AUDIT_FILTERS: readonly Filter<Name>[] = [
  { kind: 'moment', name: 'from', label: 'From' },
  { kind: 'moment', name: 'to', label: 'Before' },
];

/** The filters of the audit log. `target` is chosen by a consumer's name; a link may bring any other. */
export function useAuditFilters(target: string | undefined): readonly Filter<Name>[] {
  const { data: consumers } = useAllConsumers({ forNames: true });
  return useMemo(() => {
    const targets = [
      { value: 'queue', label: 'Sending to everybody' },
      ...(consumers ?? [])
        .map(({ id, name }) => ({ value: `consumer:${id}`, label: name }))
        .toSorted((one, other) => one.label.localeCompare(other.label)),
    ];
    if (target !== undefined && targets.every(({ value }) => value !== target)) {
      targets.push({
        value: target,
        label: `${targetOf({ target, targetName: null, details: {} }).name} (${target})`,
      });
    }
    return [
      { kind: 'text', name: 'actor', label: 'Who', placeholder: 'the whole name of a key' },
      { kind: 'choice', name: 'action', label: 'Did what', choices: ACTIONS },
      { kind: 'choice', name: 'target', label: 'To what', choices: targets },
    ];
  }, [consumers, target]);
}
