import { Alert, Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router';
import { ProblemAlert } from '../../feedback/problem-alert';
import { deliveriesInWords } from '../../formats/count-in-words';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import { BULK_KINDS, type BulkKind } from './bulk-words';
import { FilterInWords } from './filter-in-words';
import { useBulkPreview } from './use-bulk-preview';
import { useStartBulkAction } from './use-start-bulk-action';

interface BulkFormProps {
  kind: BulkKind;
  filter: DeliveryFilter;
  onClose: () => void;
}

const coversDelivered = ({ state }: DeliveryFilter): boolean => state === undefined || state === 'delivered';

/** What will be done to how many, and why; once started it is followed on its own screen. */
export function BulkForm({ kind, filter, onClose }: BulkFormProps) {
  const [action, setAction] = useState(kind);
  const [reason, setReason] = useState('');
  const preview = useBulkPreview(action, filter);
  const start = useStartBulkAction();
  const navigate = useNavigate();
  const { verb, effect, warning } = BULK_KINDS[action];
  const count = typeof preview.data === 'number' ? preview.data : undefined;

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    start.mutate(
      { action, filter, reason: reason.trim() },
      { onSuccess: ({ id }) => void navigate(`/bulk-actions/${id}`) },
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
          onChange={setAction}
        />
        <Text>{effect}</Text>
        <Text>
          Filter: <FilterInWords filter={filter} />.
        </Text>
        <Text fw={700} size="lg" role="status">
          {preview.isPending && 'Counting …'}
          {count !== undefined && `${deliveriesInWords(count)} ${count === 1 ? 'matches' : 'match'}`}
          {preview.data === null && 'More match than could be counted in five seconds'}
        </Text>
        {preview.error !== null && (
          <ProblemAlert
            error={preview.error}
            title="Could not count"
            onRetry={() => void preview.refetch()}
          />
        )}
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
        {start.error !== null && <ProblemAlert error={start.error} title="Not started" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave them as they are
          </Button>
          <Button
            type="submit"
            color={action === 'cancel' ? 'red.9' : 'blue.8'}
            disabled={reason.trim() === '' || count === 0}
            loading={start.isPending}
          >
            {verb} {count === undefined ? 'all of them' : deliveriesInWords(count)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
