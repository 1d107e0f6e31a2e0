import { Alert, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router';
import { ProblemAlert } from '../../feedback/problem-alert';
import { countInWords, deliveriesInWords } from '../../formats/count-in-words';
import type { DeliveryFilter } from '../deliveries/delivery-filters';
import { isMoreMatch, useBulkPreview, useStartBulkAction } from './bulk-queries';
import { BULK_KINDS, noteBefore, type BulkKind } from './bulk-words';
import { FilterInWords } from './filter-in-words';

interface BulkDialogProps {
  opened: boolean;
  onClose: () => void;
  kind: BulkKind;
  filter: DeliveryFilter;
  /** `Bulk replay` and so on, unless told. */
  title?: string;
  /** Why nothing may be started at this moment. */
  blockedBecause?: string | null;
  /** Fields that make the filter. */
  children?: ReactNode;
  /** Stays on the screen; otherwise the action's own screen follows. */
  isBrief?: boolean;
}

/** More deliveries than this are confirmed by typing how many they are. */
const MOST_UNTYPED = 100;

/** Whether a count is small, or was typed; `1,000`, `1 000` and `1000` are the same. */
const isConfirmed = (count: number, typed: string): boolean =>
  count <= MOST_UNTYPED || typed.replaceAll(/[\s,.]/g, '') === String(count);

/**
 * Which deliveries, how many, and what will happen to them, before it does. Nothing starts without a count of exactly
 * this filter, and the api refuses when more match by then.
 */
export function BulkDialog(props: BulkDialogProps) {
  const { opened, onClose, kind, title } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title ?? `Bulk ${BULK_KINDS[kind].verb.toLowerCase()}`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {opened && <BulkForm {...props} />}
    </Modal>
  );
}

function BulkForm(props: BulkDialogProps) {
  const { kind: action, filter, blockedBecause = null, onClose, children, isBrief = false } = props;
  const [reason, setReason] = useState('');
  const [typedCount, setTypedCount] = useState('');
  const preview = useBulkPreview(action, filter, { isWanted: blockedBecause === null });
  const start = useStartBulkAction();
  const navigate = useNavigate();
  const { verb, effect } = BULK_KINDS[action];
  const note = noteBefore(action, filter);
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
        onSuccess: ({ id }) => {
          if (isBrief) onClose();
          else void navigate(`/bulk-actions/${id}`);
        },
        onError: () => setTypedCount(''),
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {children}
        <MatchCount preview={preview} filter={filter} isBlocked={blockedBecause !== null} />
        <Text>{effect}</Text>
        {note !== null && (
          <Alert color="yellow" variant="outline" icon={<IconAlertTriangle />} title="Please note">
            {note}
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
        {start.error !== null && (
          <ProblemAlert
            error={start.error}
            title={isMoreMatch(start.error) ? 'Not started: more deliveries match now' : 'Not started'}
          />
        )}
        {blockedBecause !== null && <Text size="sm">{blockedBecause}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {action === 'cancel' ? 'Back' : 'Cancel'}
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

/** How many deliveries are selected and by what, or why nobody knows and what to do. */
function MatchCount(props: {
  preview: ReturnType<typeof useBulkPreview>;
  filter: DeliveryFilter;
  isBlocked: boolean;
}) {
  const { data, error, isFetching, refetch } = props.preview;
  const matched = isFetching ? undefined : data?.matched;
  return (
    <>
      <div>
        <Text fw={700} size="lg" role="status">
          {isFetching && 'Counting …'}
          {typeof matched === 'number' && !props.isBlocked && `${deliveriesInWords(matched)} selected`}
          {matched === null && 'The deliveries could not be counted in five seconds'}
        </Text>
        <Text>
          <FilterInWords filter={props.filter} />
        </Text>
      </div>
      {matched === null && (
        <Alert
          color="yellow"
          variant="outline"
          icon={<IconAlertTriangle />}
          title="Count again, or narrow the filters"
        >
          <Text size="sm">
            Nothing is started on an unknown number of deliveries. Choose one consumer, or a shorter time from
            and before.
          </Text>
          <Button size="xs" variant="default" mt="sm" onClick={() => void refetch()}>
            Count again
          </Button>
        </Alert>
      )}
      {error !== null && !isFetching && (
        <ProblemAlert error={error} title="Could not count" onRetry={() => void refetch()} />
      )}
    </>
  );
}
