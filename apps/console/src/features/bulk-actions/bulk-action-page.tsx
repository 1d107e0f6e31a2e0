import { Alert, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { answerOf, api } from '../../api';
import { QueryState } from '../../feedback';
import { TextLink, Time } from '../../formats';
import { Page } from '../../page/page';
import { deliveriesPath } from '../delivery-filter/delivery-filters';
import { BulkFault, BulkProgress, BulkStateBadge, StopBulkAction } from './bulk-progress';
import { BULK_ACTIONS_KEY } from './bulk-queries';
import { BULK_KINDS, nameOfKind, type BulkAction } from './bulk-words';
import { FilterInWords } from './filter-in-words';

const WHILE_RUNNING_MS = 1_000;

/** One bulk action: its progress, who started it and why. */
export function BulkActionPage() {
  const { id = '' } = useParams();
  const query = useQuery({
    queryKey: [...BULK_ACTIONS_KEY, 'one', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/bulk-actions/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.state === 'running' ? WHILE_RUNNING_MS : false,
  });
  const { data } = query;
  return (
    <Page
      title={data === undefined ? 'Bulk action' : nameOfKind(data.action)}
      about={<TextLink to="/bulk-actions">All bulk actions</TextLink>}
      actions={data !== undefined && <StopBulkAction action={data} />}
    >
      <QueryState query={query} what="bulk action" />
      {data !== undefined && <BulkActionDetails action={data} />}
    </Page>
  );
}

function BulkActionDetails({ action }: { action: BulkAction }) {
  // Deliveries whose state changed no longer match a filter by state.
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
        Started by <strong>{action.createdBy}</strong> at <Time at={action.createdAt} />
        {action.finishedAt !== null && (
          <>
            , ended at <Time at={action.finishedAt} />
          </>
        )}
        . Reason: “{action.reason}”.
      </Text>
      {action.skipped > 0 && (
        <Alert color="yellow" title="Why deliveries are skipped">
          They were due already, are waiting for an earlier status, or were changed meanwhile; or their
          consumer was removed, or their event is no longer stored.
        </Alert>
      )}
      <Text>
        {(action.action === 'replay' || action.action === 'retry') && 'Re-queued is not delivered yet. '}
        <TextLink to={deliveriesPath(rest)}>See these deliveries</TextLink>
      </Text>
    </Stack>
  );
}
