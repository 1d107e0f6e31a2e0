import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Time } from '../../formats/time';
import { Page } from '../../layout/page';
import { deliveriesPath } from '../deliveries/delivery-filters';
import { BulkFault, BulkProgress, BulkStateBadge, StopBulkAction } from './bulk-progress';
import { useBulkAction } from './bulk-queries';
import { BULK_KINDS, BULK_STATES, type BulkAction } from './bulk-words';
import { FilterInWords } from './filter-in-words';

/** One bulk action: how far it is, who started it and why. */
export function BulkActionPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useBulkAction(id);
  return (
    <Page
      title={data === undefined ? 'Bulk action' : `Bulk ${BULK_KINDS[data.action].verb.toLowerCase()}`}
      about={
        <Anchor component={Link} to="/bulk-actions">
          All bulk actions
        </Anchor>
      }
      actions={data !== undefined && <StopBulkAction action={data} />}
    >
      {error !== null && <ProblemAlert error={error} what="Bulk action" onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState what="the bulk action" />}
      {data !== undefined && <Following action={data} />}
    </Page>
  );
}

function Following({ action }: { action: BulkAction }) {
  // What has changed its state no longer matches a filter by state.
  const { state: _, holdReason: __, delivered: ___, settled: ____, ...rest } = action.filter;
  return (
    <Stack maw={820}>
      <Group>
        <BulkStateBadge state={action.state} />
        {action.state === 'running' && <Text>It continues when you leave this screen.</Text>}
      </Group>
      <BulkFault action={action} />
      <BulkProgress action={action} />
      <Text>
        Selected: <FilterInWords filter={action.filter} />. {BULK_KINDS[action.action].effect}
      </Text>
      <Text>
        Started by <strong>{action.createdBy}</strong> <Time at={action.createdAt} />. Reason: “
        {action.reason}
        ”.
        {action.finishedAt !== null && (
          <>
            {' '}
            {BULK_STATES[action.state]} <Time at={action.finishedAt} />.
          </>
        )}
      </Text>
      {action.skipped > 0 && (
        <Alert color="yellow" variant="outline" title="Why deliveries are skipped">
          They were due already, are waiting for an earlier status, or were changed meanwhile; or their
          consumer was removed, or their event is no longer stored.
        </Alert>
      )}
      <Text>
        {(action.action === 'replay' || action.action === 'retry') && 'Re-queued is not delivered yet. '}
        <Anchor component={Link} to={deliveriesPath(rest)}>
          See these deliveries
        </Anchor>
      </Text>
    </Stack>
  );
}
