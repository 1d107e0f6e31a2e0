import { useMemo } from 'react';
import type { Consumer } from '../../../queries/use-consumers';
import { useIssues } from '../../issues/issue-queries';
import type { Outage } from '../../overview/history-rows';

/** As many as the note about the consumer's issues reads. */
const NEWEST_ISSUES = 100;

/** When the consumer was down: now, by its health, and before, by its issues that ended. */
export function useOutages({ id, health }: Consumer): readonly Outage[] {
  const { data } = useIssues({ consumerId: id, limit: NEWEST_ISSUES });
  const { state, since } = health;
  return useMemo(() => {
    const past = data?.issues.filter(({ kind, endedAt }) => kind === 'down' && endedAt !== null) ?? [];
    return [
      ...past.map(({ openedAt, endedAt }) => ({ from: openedAt, to: endedAt })),
      ...(state === 'down' && since !== null ? [{ from: since, to: null }] : []),
    ];
  }, [data, state, since]);
}
