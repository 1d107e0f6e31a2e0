import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { answerOf, api, ProblemError } from '../../api';
import { ProblemAlert, ReasonDialog } from '../../feedback';
import { countInWords, deliveriesInWords } from '../../formats';
import type { DeliveryFilter } from '../delivery-filter/delivery-fields';
import { BULK_ACTIONS_KEY, useBulkPreview } from './bulk-queries';
import { BULK_KINDS, nameOfKind, noteBefore, type BulkKind } from './bulk-words';
import { FilterInWords } from './filter-in-words';

interface BulkDialogProps {
  opened: boolean;
  onClose: () => void;
  kind: BulkKind;
  filter: DeliveryFilter;
  /** `Bulk replay` and so on, unless given. */
  title?: string;
  /** Why no action may start now. */
  blockedBecause?: string | null;
  /** Fields of the filter. */
  children?: ReactNode;
  /** Stays on the screen instead of opening the action's own. */
  isBrief?: boolean;
}

/** Above this number of deliveries, the number is typed to confirm. */
const MOST_UNTYPED = 100;

/** Whether a count is small or was typed; `1,000`, `1 000` and `1000` are the same. */
const isConfirmed = (count: number, typed: string): boolean =>
  count <= MOST_UNTYPED || typed.replaceAll(/[\s,.]/g, '') === String(count);

/** Whether it was refused because more deliveries match than the operator confirmed. */
const isMoreMatch = (error: Error | null): boolean =>
  error instanceof ProblemError && error.matched !== undefined;

/**
 * Confirms a bulk action: which deliveries, how many, and the effect. Nothing starts without a count of exactly this
 * filter, and the api refuses when more match at the start.
 */
export function BulkDialog(props: BulkDialogProps) {
  const { opened, onClose, kind, filter, blockedBecause = null, children, isBrief = false } = props;
  const [typedCount, setTypedCount] = useState('');
  const preview = useBulkPreview(kind, filter, opened && blockedBecause === null);
  const navigate = useNavigate();
  const client = useQueryClient();
  const { verb, effect } = BULK_KINDS[kind];
  const note = noteBefore(kind, filter);
  const matched = preview.isFetching || blockedBecause !== null ? undefined : preview.data;
  const count = matched ?? undefined;
  const start = useMutation({
    mutationFn: async (reason: string) => {
      if (count === undefined) throw new Error('Nothing is started without a count.');
      const body = { action: kind, filter, reason, expectedCount: count };
      const started = await answerOf(api.POST('/v1/bulk-actions', { body }));
      if (!isBrief && 'id' in started) void navigate(`/bulk-actions/${started.id}`);
    },
    onError: (error) => (isMoreMatch(error) ? preview.refetch() : undefined),
    onSettled: () => client.invalidateQueries({ queryKey: BULK_ACTIONS_KEY }),
  });

  return (
    <ReasonDialog
      opened={opened}
      onClose={() => {
        setTypedCount('');
        onClose();
      }}
      title={props.title ?? nameOfKind(kind)}
      size="lg"
      effect={
        <Stack gap="sm">
          {children}
          <div>
            <Text fw={700} size="lg" role="status">
              {preview.isFetching && 'Counting …'}
              {typeof matched === 'number' && `${deliveriesInWords(matched)} selected`}
              {matched === null && 'The deliveries could not be counted in five seconds'}
            </Text>
            <FilterInWords filter={filter} />
          </div>
          {matched === null && <NotCounted onRetry={() => void preview.refetch()} />}
          {preview.error !== null && !preview.isFetching && (
            <ProblemAlert
              error={preview.error}
              title="Could not count"
              onRetry={() => void preview.refetch()}
            />
          )}
          <Text>{effect}</Text>
          {note !== null && (
            <Alert color="yellow" icon={<IconAlertTriangle />} title="Please note">
              {note}
            </Alert>
          )}
        </Stack>
      }
      confirm={`${verb} ${count === undefined ? 'deliveries' : deliveriesInWords(count)}`}
      danger={kind === 'cancel'}
      isComplete={count !== undefined && count > 0 && isConfirmed(count, typedCount)}
      problemTitle={isMoreMatch(start.error) ? 'Not started: more deliveries match now' : 'Not started'}
      onConfirm={start.mutateAsync}
    >
      {count !== undefined && count > MOST_UNTYPED && (
        <TextInput
          label="Number of deliveries"
          description={`Type ${countInWords(count)} to confirm.`}
          required
          inputMode="numeric"
          autoComplete="off"
          value={typedCount}
          onChange={(event) => setTypedCount(event.currentTarget.value)}
        />
      )}
      {blockedBecause !== null && <Text size="sm">{blockedBecause}</Text>}
    </ReasonDialog>
  );
}

/** What to do when the selected deliveries cannot be counted. */
function NotCounted({ onRetry }: { onRetry: () => void }) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title="Count again, or narrow the filters">
      <Text size="sm">
        Nothing is started on an unknown number of deliveries. Choose one consumer, or a shorter time from and
        before.
      </Text>
      <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
        Count again
      </Button>
    </Alert>
  );
}
