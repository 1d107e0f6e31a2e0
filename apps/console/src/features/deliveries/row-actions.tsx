import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconBan, IconRefresh } from '@tabler/icons-react';
import { actsOn, type Delivery, type DeliveryAct } from './delivery-acts';

interface RowActionsProps {
  delivery: Delivery;
  onAct: (act: DeliveryAct, delivery: Delivery) => void;
}

const ACTS = {
  retry: { label: 'Retry', icon: IconRefresh },
  cancel: { label: 'Cancel', icon: IconBan },
} as const;

/** What can be done to one delivery of the list. */
export function RowActions({ delivery, onAct }: RowActionsProps) {
  return (
    <Group gap={4} wrap="nowrap">
      {actsOn(delivery.state).map((act) => {
        const { label, icon: Symbol } = ACTS[act];
        const isAgain = act === 'retry' && delivery.state === 'delivered';
        const words = isAgain ? 'Send again' : label;
        return (
          <Tooltip key={act} label={words}>
            <ActionIcon
              variant="default"
              aria-label={`${words} ${delivery.paymentId ?? delivery.deliveryId} to ${delivery.consumerName}`}
              onClick={() => onAct(act, delivery)}
            >
              <Symbol size={16} />
            </ActionIcon>
          </Tooltip>
        );
      })}
    </Group>
  );
}
