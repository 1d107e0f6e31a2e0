import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBan, IconRefresh, IconSignature } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../../session/use-may';
import type { Schema } from '../../api/schema';
import { DeliveryActDialog } from './delivery-act-dialog';
import { actsOn, type DeliveryAct } from './delivery-acts';
import { SignatureDialog } from './signature-dialog';

/** What can be done to the delivery on the screen. */
export function DeliveryActions({ delivery }: { delivery: Schema<'DeliveryDetailDto'> }) {
  const mayAct = useMay('oncall');
  const [act, setAct] = useState<DeliveryAct>('retry');
  const [isActing, acting] = useDisclosure(false);
  const [isExplaining, explaining] = useDisclosure(false);
  if (!mayAct) return null;

  const possible = actsOn(delivery.state);
  const open = (chosen: DeliveryAct): void => {
    setAct(chosen);
    acting.open();
  };
  return (
    <>
      {possible.includes('retry') && (
        <Button
          variant={delivery.state === 'delivered' ? 'default' : 'filled'}
          leftSection={<IconRefresh size={18} />}
          onClick={() => open('retry')}
        >
          {delivery.state === 'delivered' ? 'Send again' : 'Retry'}
        </Button>
      )}
      {possible.includes('cancel') && (
        <Button variant="default" leftSection={<IconBan size={18} />} onClick={() => open('cancel')}>
          Cancel
        </Button>
      )}
      {delivery.attempts.length > 0 && (
        <Button variant="default" leftSection={<IconSignature size={18} />} onClick={explaining.open}>
          Explain the signature
        </Button>
      )}
      <DeliveryActDialog opened={isActing} onClose={acting.close} act={act} delivery={delivery} />
      <SignatureDialog opened={isExplaining} onClose={explaining.close} delivery={delivery} />
    </>
  );
}
