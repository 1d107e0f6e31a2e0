import { Button, Group, Modal, Stack, Text, type ModalProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { ProblemAlert } from './problem-alert';
import { ReasonField } from './reason-field';

interface ReasonDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** The effect, on how many, and whether it can be undone. */
  effect: ReactNode;
  /** The verb of the button, e.g. `Pause Acme`. */
  confirm: string;
  /** Red, for a change that cannot be undone. */
  danger?: boolean;
  /** False while a field in `effect` is incomplete. */
  isComplete?: boolean;
  /** The name of the field. */
  reasonLabel?: string;
  /** The api requires no reason. */
  isOptional?: boolean;
  /** False where the api keeps no reason: there is no field for it. */
  asksReason?: boolean;
  size?: ModalProps['size'];
  /** Above the problem when it fails. */
  problemTitle?: string;
  /** Fields after the reason. */
  children?: ReactNode;
  /** Makes the change; on success the dialog closes, on failure it shows the problem. */
  onConfirm: (reason: string) => Promise<unknown>;
}

/** Asks for a reason before a change; the audit log keeps it. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { opened, onClose, title, size = 'md' } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={size}>
      {/* Mounted anew for every opening, without the last reason or error. */}
      {opened && <ReasonForm {...props} />}
    </Modal>
  );
}

/** Asks for a confirmation without a reason; red unless `danger` is false. */
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
    reasonLabel = 'Reason',
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
          <ReasonField
            label={reasonLabel}
            required={!isOptional}
            data-autofocus
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
