import { Button, Loader } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useBulkActions } from './bulk-queries';
import { doneInWords, nameOfKind, percentOf } from './bulk-words';

/** The number of newest actions to watch; fewer run at the same time. */
const WATCHED = 20;

/** The progress of running bulk actions in the header; a notification reports each end. */
export function RunningBulkActions() {
  const { data } = useBulkActions({ offset: 0, limit: WATCHED });
  const seenRunning = useRef(new Set<string>());
  useEffect(() => {
    for (const action of data?.bulkActions ?? []) {
      const { id, state } = action;
      if (state === 'running') seenRunning.current.add(id);
      else if (seenRunning.current.delete(id)) {
        notifications.show({
          color: { finished: 'green', stopped: 'yellow', failed: 'red' }[state],
          title: `${nameOfKind(action.action)} ${state}`,
          message: `${doneInWords(action)}.`,
        });
      }
    }
  }, [data]);

  const running = data?.bulkActions.filter(({ state }) => state === 'running') ?? [];
  const [first, ...others] = running;
  if (first === undefined) return null;
  const percent = percentOf(first);
  const words = `${nameOfKind(first.action)}${percent === null ? '' : ` ${String(percent)}%`}`;
  return (
    <Button
      component={Link}
      to={others.length === 0 ? `/bulk-actions/${first.id}` : '/bulk-actions'}
      variant="default"
      leftSection={<Loader size={14} aria-hidden />}
    >
      {others.length === 0 ? words : `${String(running.length)} bulk actions`}
    </Button>
  );
}
