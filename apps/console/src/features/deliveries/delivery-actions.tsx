import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { IconBan, IconChecks, IconRefresh, IconSignature } from '@tabler/icons-react';
import { answerOf, api, type Schema } from '../../api';
import { ReasonDialog } from '../../feedback';
import { useMay } from '../../session/use-me';
import { BulkDialog } from '../bulk-actions/bulk-dialog';
import { actsOn, effectOf, nameOf, resultOf, type Delivery, type DeliveryAct } from './delivery-acts';
import { SignatureDialog } from './signature-dialog';
import { DELIVERIES_KEY } from './deliveries-in-view';

const ACTS = {
  retry: { label: 'Retry', icon: IconRefresh, confirm: 'Retry now' },
  cancel: { label: 'Cancel', icon: IconBan, confirm: 'Cancel this delivery' },
} as const;

const wordOf = (act: DeliveryAct, { state }: Delivery): string =>
  act === 'retry' && state === 'delivered' ? 'Send again' : ACTS[act].label;

/** What can be done to the delivery on the screen. */
export function DeliveryActions({ delivery }: { delivery: Schema<'DeliveryDetailDto'> }) {
  const mayAct = useMay('oncall');
  const [open, setOpen] = useState<DeliveryAct | 'settle' | 'explain' | null>(null);
  const [act, setAct] = useState<DeliveryAct>('retry');
  if (!mayAct) return null;
  const { state, settlement, attempts, notificationId, consumerId } = delivery;
  const close = (): void => setOpen(null);
  return (
    <>
      {actsOn(state).map((each) => {
        const Symbol = ACTS[each].icon;
        return (
          <Button
            key={each}
            variant={each === 'retry' && state !== 'delivered' ? 'filled' : 'default'}
            leftSection={<Symbol size={18} />}
            onClick={() => {
              setAct(each);
              setOpen(each);
            }}
          >
            {wordOf(each, delivery)}
          </Button>
        );
      })}
      {state === 'dead' && settlement === null && (
        <Button variant="default" leftSection={<IconChecks size={18} />} onClick={() => setOpen('settle')}>
          Settle
        </Button>
      )}
      {attempts.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconSignature size={18} />}
          onClick={() => setOpen('explain')}
        >
          Explain the signature
        </Button>
      )}
      <DeliveryActDialog
        opened={open === 'retry' || open === 'cancel'}
        onClose={close}
        act={act}
        delivery={delivery}
      />
      <BulkDialog
        opened={open === 'settle'}
        onClose={close}
        kind="acknowledge"
        title={`Settle ${nameOf(delivery)}`}
        filter={{ notificationId, consumerId, settled: false }}
        isBrief
      />
      <SignatureDialog opened={open === 'explain'} onClose={close} delivery={delivery} />
    </>
  );
}

interface RowActionsProps {
  delivery: Delivery;
  onAct: (act: DeliveryAct, delivery: Delivery) => void;
}

/** What can be done to one delivery of the list. */
export function RowActions({ delivery, onAct }: RowActionsProps) {
  return (
    <Group gap={4} wrap="nowrap">
      {actsOn(delivery.state).map((act) => {
        const words = wordOf(act, delivery);
        return (
          <Button
            key={act}
            size="compact-sm"
            variant="default"
            aria-label={`${words} ${delivery.paymentId ?? delivery.deliveryId} to ${delivery.consumerName}`}
            onClick={() => onAct(act, delivery)}
          >
            {words}
          </Button>
        );
      })}
    </Group>
  );
}

interface DeliveryActDialogProps {
  opened: boolean;
  onClose: () => void;
  act: DeliveryAct;
  delivery: Delivery;
}

/** Asks before one delivery is retried or cancelled, and says what came of it. */
export function DeliveryActDialog({ opened, onClose, act, delivery }: DeliveryActDialogProps) {
  const client = useQueryClient();
  const { deliveryId, state } = delivery;
  const isAgain = act === 'retry' && state === 'delivered';
  const change = async (reason: string): Promise<void> => {
    const params = { path: { id: deliveryId } };
    const given = reason === '' ? {} : { reason };
    try {
      const after = await answerOf(
        act === 'retry'
          ? api.POST('/v1/deliveries/{id}/retry', { params, body: { ...given, force: isAgain } })
          : api.POST('/v1/deliveries/{id}/cancel', { params, body: given }),
      );
      notifications.show({
        color: after.state === 'held' ? 'yellow' : 'green',
        title: nameOf(delivery),
        message: resultOf(act, after),
      });
    } finally {
      await client.invalidateQueries({ queryKey: DELIVERIES_KEY });
    }
  };
  return (
    <ReasonDialog
      opened={opened}
      onClose={onClose}
      title={`${wordOf(act, delivery)} ${nameOf(delivery)}`}
      effect={effectOf(act, delivery)}
      confirm={isAgain ? 'Send it a second time' : ACTS[act].confirm}
      danger={act === 'cancel' || isAgain}
      isOptional={!isAgain}
      onConfirm={change}
    />
  );
}
