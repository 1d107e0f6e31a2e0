import { Button, Group, Modal, Stack, Text, Textarea, type ModalProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { ProblemAlert } from './problem-alert';

interface ReasonDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, to how many, and whether it can be undone. */
  effect: ReactNode;
  /** The verb of the button, e.g. `Pause Acme`. */
  confirm: string;
  /** Red, for what cannot be undone. */
  danger?: boolean;
  /** False while a field inside of `effect` is still to be filled in. */
  isComplete?: boolean;
  /** Where the api insists on no reason. */
  isOptional?: boolean;
  /** False where it keeps none: it is asked for then by no field. */
  asksReason?: boolean;
  size?: ModalProps['size'];
  /** Above the problem when it fails. */
  problemTitle?: string;
  /** Fields after the reason. */
  children?: ReactNode;
  /** Does it; the dialog closes when it succeeds, and shows the problem when it fails. */
  onConfirm: (reason: string) => Promise<unknown>;
}

/** Asks why before anything is changed: the answer goes to the audit log. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { opened, onClose, title, size = 'md' } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={size}>
      {/* Mounted anew for every opening: no reason or error is left from the last one. */}
      {opened && <ReasonForm {...props} />}
    </Modal>
  );
}

/** Asks once more, where the api keeps no reason; red unless `danger` is false. */
export const ConfirmDialog = (
  props: Omit<ReasonDialogProps, 'onConfirm' | 'isOptional' | 'asksReason'> & {
    onConfirm: () => Promise<unknown>;
  },
) => <ReasonDialog danger {...props} asksReason={false} />;

function ReasonForm({ onClose, effect, confirm, danger = false, ...rest }: ReasonDialogProps) {
  const {
    isComplete = true,
    isOptional = false,
    asksReason = true,
    problemTitle,
    children,
    onConfirm,
  } = rest;
  const [reason, setReason] = useState('');
  const action = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    action.mutate(reason.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text component="div">{effect}</Text>
        {asksReason && (
          <Textarea
            label="Reason"
            description={`Recorded in the audit log with your name.${isOptional ? ' Optional.' : ''}`}
            data-autofocus
            required={!isOptional}
            maxLength={500}
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        {children}
        {action.error !== null && (
          <ProblemAlert
            error={action.error}
            {...(problemTitle === undefined ? {} : { title: problemTitle })}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button
            type="submit"
            color={danger ? 'red.9' : 'blue.8'}
            disabled={(asksReason && !isOptional && reason.trim() === '') || !isComplete}
            loading={action.isPending}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
