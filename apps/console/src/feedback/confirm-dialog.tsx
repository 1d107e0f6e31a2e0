import { ReasonDialog, type ReasonDialogProps } from './reason-dialog';

type ConfirmDialogProps = Pick<ReasonDialogProps, 'opened' | 'onClose' | 'title' | 'effect' | 'confirm'> & {
  onConfirm: () => Promise<unknown>;
};

/** Asks once more, for what cannot be undone and for which the api keeps no reason. */
export const ConfirmDialog = (props: ConfirmDialogProps) => (
  <ReasonDialog {...props} danger asksReason={false} />
);
