import { Alert, Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router';
import { ProblemAlert } from '../../feedback/problem-alert';
import { deliveriesInWords } from '../../formats/count-in-words';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import { BULK_KINDS, type BulkKind } from './bulk-words';
import { CountConfirmation, isConfirmed } from './count-confirmation';
import { FilterInWords } from './filter-in-words';
import { MatchCount } from './match-count';
import { useBulkPreview } from './use-bulk-preview';
import { isMoreMatch, useStartBulkAction } from './use-start-bulk-action';

interface BulkFormProps {
  kind: BulkKind;
  filter: DeliveryFilter;
  /** Why nothing may be started at this moment. */
  blockedBecause: string | null;
  onClose: () => void;
}

const coversDelivered = ({ state }: DeliveryFilter): boolean => state === undefined || state === 'delivered';

/**
 * What will be done to how many, and why; once started it is followed on its own screen. Nothing starts without a count
 * of exactly this filter, and the api refuses when more match by then.
 */
export function BulkForm({ kind, filter, blockedBecause, onClose }: BulkFormProps) {
  const [action, setAction] = useState(kind);
  const [reason, setReason] = useState('');
  const [typedCount, setTypedCount] = useState('');
  const preview = useBulkPreview(action, filter);
  const start = useStartBulkAction();
  const navigate = useNavigate();
  const { verb, effect, warning } = BULK_KINDS[action];
  const count = preview.isFetching ? undefined : (preview.data?.matched ?? undefined);
  const mayStart =
    blockedBecause === null &&
    count !== undefined &&
    count > 0 &&
    isConfirmed(count, typedCount) &&
    reason.trim() !== '';

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!mayStart) return;
    start.mutate(
      { action, filter, reason: reason.trim(), expectedCount: count },
      {
        onSuccess: ({ id }) => void navigate(`/bulk-actions/${id}`),
        onError: () => setTypedCount(''),
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <SegmentedControl
          aria-label="What to do"
          fullWidth
          data={[
            { value: 'replay', label: 'Replay' },
            { value: 'retry', label: 'Retry' },
            { value: 'cancel', label: 'Cancel' },
          ]}
          value={action}
          onChange={(chosen) => {
            setAction(chosen);
            setTypedCount('');
            start.reset();
          }}
        />
        <Text>{effect}</Text>
        <Text>
          Filter: <FilterInWords filter={filter} />.
        </Text>
        <MatchCount preview={preview} />
        {(action !== 'replay' || coversDelivered(filter)) && (
          <Alert color="yellow" variant="outline" icon={<IconAlertTriangle />} title="Before you do">
            {warning}
          </Alert>
        )}
        <Textarea
          label="Reason"
          description="Kept with the action and in the audit log, with your key’s name."
          data-autofocus
          required
          maxLength={500}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {count !== undefined && <CountConfirmation count={count} typed={typedCount} onType={setTypedCount} />}
        {start.error !== null && (
          <ProblemAlert
            error={start.error}
            title={isMoreMatch(start.error) ? 'Not started: more match meanwhile' : 'Not started'}
          />
        )}
        {blockedBecause !== null && <Text size="sm">{blockedBecause}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave them as they are
          </Button>
          <Button
            type="submit"
            color={action === 'cancel' ? 'red.9' : 'blue.8'}
            disabled={!mayStart}
            loading={start.isPending}
          >
            {verb} {count === undefined ? 'deliveries' : deliveriesInWords(count)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
