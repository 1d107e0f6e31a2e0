import { ReasonDialog, type ReasonDialogProps } from './reason-dialog';

/** Asks once more, where the api keeps no reason; red unless `danger` is false. */
export const ConfirmDialog = (
  props: Omit<ReasonDialogProps, 'onConfirm' | 'isOptional' | 'asksReason'> & {
    onConfirm: () => Promise<unknown>;
  },
) => <ReasonDialog danger {...props} asksReason={false} />;
