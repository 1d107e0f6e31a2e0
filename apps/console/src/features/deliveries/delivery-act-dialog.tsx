import { notifications } from '@mantine/notifications';
import { ReasonDialog } from '../../feedback/reason-dialog';
import { effectOf, resultOf, type Delivery, type DeliveryAct } from './delivery-acts';
import { useCancelDelivery } from './use-cancel-delivery';
import { useRetryDelivery } from './use-retry-delivery';

interface DeliveryActDialogProps {
  opened: boolean;
  onClose: () => void;
  act: DeliveryAct;
  delivery: Delivery;
}

/** Asks before one delivery is retried or cancelled, and tells what came of it. */
export function DeliveryActDialog({ opened, onClose, act, delivery }: DeliveryActDialogProps) {
  const retry = useRetryDelivery();
  const cancel = useCancelDelivery();
  const { deliveryId: id, state, consumerName } = delivery;
  const isAgain = act === 'retry' && state === 'delivered';
  const name = delivery.paymentId ?? 'a payment without an id';

  const confirm = async (reason: string): Promise<void> => {
    const after = await (act === 'retry'
      ? retry.mutateAsync({ id, reason, force: isAgain })
      : cancel.mutateAsync({ id, reason }));
    notifications.show({
      color: after.state === 'held' ? 'yellow' : 'green',
      title: `${name} to ${consumerName}`,
      message: resultOf(act, after),
    });
  };
  return (
    <ReasonDialog
      opened={opened}
      onClose={onClose}
      title={`${TITLES[isAgain ? 'again' : act]} ${name}`}
      effect={effectOf(act, delivery)}
      confirm={CONFIRM[isAgain ? 'again' : act]}
      danger={act === 'cancel' || isAgain}
      isOptional={!isAgain}
      onConfirm={confirm}
    />
  );
}

const TITLES = { retry: 'Retry', cancel: 'Cancel', again: 'Send again' } as const;
const CONFIRM = {
  retry: 'Retry now',
  cancel: 'Cancel this delivery',
  again: 'Send it a second time',
} as const;
