import { ActionIcon, Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { IconBan, IconChecks, IconDots, IconRefresh, IconSignature } from '@tabler/icons-react';
import { answerOf, api, type Schema } from '../../api';
import { ReasonDialog } from '../../feedback';
import { DELIVERIES_KEY } from '../../queries/use-delivery';
import { useMay } from '../../signed-in/use-me';
import { BulkDialog } from '../bulk-actions/bulk-dialog';
import {
  commandsFor,
  effectOf,
  nameOf,
  resultOf,
  type Delivery,
  type DeliveryCommand,
} from './delivery-commands';
import { SignatureDialog } from './signature-dialog';

const COMMANDS = {
  retry: { label: 'Retry', icon: IconRefresh, confirm: 'Retry now' },
  cancel: { label: 'Cancel', icon: IconBan, confirm: 'Cancel this delivery' },
} as const;

const labelOf = (command: DeliveryCommand, { state }: Delivery): string =>
  command === 'retry' && state === 'delivered' ? 'Send again' : COMMANDS[command].label;

/** The commands on the delivery of this screen. */
export function DeliveryActions({ delivery }: { delivery: Schema<'DeliveryDetailDto'> }) {
  const isOnCall = useMay('oncall');
  const [open, setOpen] = useState<DeliveryCommand | 'settle' | 'explain' | null>(null);
  const [command, setCommand] = useState<DeliveryCommand>('retry');
  if (!isOnCall) return null;
  const { state, settlement, attempts, notificationId, consumerId } = delivery;
  const close = (): void => setOpen(null);
  return (
    <>
      {commandsFor(state).map((each) => {
        const Symbol = COMMANDS[each].icon;
        return (
          <Button
            key={each}
            variant={each === 'retry' && state !== 'delivered' ? 'filled' : 'default'}
            leftSection={<Symbol size={18} />}
            onClick={() => {
              setCommand(each);
              setOpen(each);
            }}
          >
            {labelOf(each, delivery)}
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
      <DeliveryCommandDialog
        opened={open === 'retry' || open === 'cancel'}
        onClose={close}
        command={command}
        delivery={delivery}
      />
      <BulkDialog
        opened={open === 'settle'}
        onClose={close}
        kind="settle"
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
  onCommand: (command: DeliveryCommand, delivery: Delivery) => void;
}

/** The commands on one delivery of the list. */
export function RowActions({ delivery, onCommand }: RowActionsProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="default"
          size="sm"
          aria-label={`Actions for ${delivery.paymentId ?? delivery.deliveryId} to ${delivery.consumerName}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {commandsFor(delivery.state).map((command) => {
          const Symbol = COMMANDS[command].icon;
          return (
            <Menu.Item
              key={command}
              leftSection={<Symbol size={16} />}
              onClick={() => onCommand(command, delivery)}
            >
              {labelOf(command, delivery)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

interface DeliveryCommandDialogProps {
  opened: boolean;
  onClose: () => void;
  command: DeliveryCommand;
  delivery: Delivery;
}

/** Asks before one delivery is retried or cancelled, and shows the result. */
export function DeliveryCommandDialog({ opened, onClose, command, delivery }: DeliveryCommandDialogProps) {
  const client = useQueryClient();
  const { deliveryId, state } = delivery;
  const isAgain = command === 'retry' && state === 'delivered';
  const change = async (reason: string): Promise<void> => {
    const params = { path: { id: deliveryId } };
    const given = reason === '' ? {} : { reason };
    try {
      const after = await answerOf(
        command === 'retry'
          ? api.POST('/v1/deliveries/{id}/retry', { params, body: { ...given, force: isAgain } })
          : api.POST('/v1/deliveries/{id}/cancel', { params, body: given }),
      );
      notifications.show({
        color: after.state === 'held' ? 'yellow' : 'green',
        title: nameOf(delivery),
        message: resultOf(command, after),
      });
    } finally {
      await client.invalidateQueries({ queryKey: DELIVERIES_KEY });
    }
  };
  return (
    <ReasonDialog
      opened={opened}
      onClose={onClose}
      title={`${labelOf(command, delivery)} ${nameOf(delivery)}`}
      effect={effectOf(command, delivery)}
      confirm={isAgain ? 'Send it a second time' : COMMANDS[command].confirm}
      danger={command === 'cancel' || isAgain}
      isOptional={!isAgain}
      onConfirm={change}
    />
  );
}
