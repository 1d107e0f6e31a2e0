import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Time } from '../../formats/time';
import { Page } from '../../layout/page';
import { useMay } from '../../session/use-may';
import { deliveriesPath } from '../deliveries/delivery-filters';
import { BulkFault } from './bulk-fault';
import { BulkProgress } from './bulk-progress';
import { BulkStateBadge } from './bulk-state-badge';
import { BULK_KINDS, BULK_STATES, type BulkAction } from './bulk-words';
import { FilterInWords } from './filter-in-words';
import { StopBulkAction } from './stop-bulk-action';
import { useBulkAction } from './use-bulk-action';

/** One bulk action: how far it is, who wanted it and why. */
export function BulkActionPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useBulkAction(id);
  const mayStop = useMay('oncall');
  return (
    <Page
      title={data === undefined ? 'Bulk action' : `${BULK_KINDS[data.action].verb} of many deliveries`}
      about={
        <Anchor component={Link} to="/bulk-actions">
          All bulk actions
        </Anchor>
      }
      actions={mayStop && data !== undefined && <StopBulkAction action={data} />}
    >
      {error !== null && <ProblemAlert error={error} what="Bulk action" onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState what="the bulk action" />}
      {data !== undefined && <Following action={data} />}
    </Page>
  );
}

function Following({ action }: { action: BulkAction }) {
  const { effect } = BULK_KINDS[action.action];
  // What has changed its state no longer matches a filter by state.
  const { state: _, holdReason: __, ...rest } = action.filter;
  return (
    <Stack maw={820}>
      <Group>
        <BulkStateBadge state={action.state} />
        {action.state === 'running' && <Text>It goes on by itself; you can leave this screen.</Text>}
      </Group>
      <BulkFault action={action} />
      <BulkProgress action={action} />
      <Text>{effect}</Text>
      <Text>
        Filter: <FilterInWords filter={action.filter} />.
      </Text>
      <Text>
        Started by <strong>{action.createdBy}</strong> <Time at={action.createdAt} />, because: “
        {action.reason}”.
      </Text>
      {action.finishedAt !== null && (
        <Text>
          {BULK_STATES[action.state]} <Time at={action.finishedAt} />.
        </Text>
      )}
      {action.skipped > 0 && (
        <Alert color="yellow" variant="outline" title="Some were skipped">
          They were due already or behind an earlier status, their consumer is removed, or their event is no
          longer kept.
        </Alert>
      )}
      <Text>
        {action.action === 'cancel' ? '' : 'To go again is not to arrive yet. '}
        <Anchor component={Link} to={deliveriesPath(rest)}>
          See how those deliveries stand
        </Anchor>
      </Text>
    </Stack>
  );
}
