import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { answerOf, api, type Schema } from '../../../api';
import { ReasonDialog, useCommand } from '../../../feedback';

/** Sends one own delivery again; one that was delivered only after a confirmation. */
export function ResendDelivery({ delivery }: { delivery: Schema<'DeliveryDto'> }) {
  const { deliveryId: id, state, endReason } = delivery;
  const [isAsking, dialog] = useDisclosure(false);
  const run = useCommand();
  const isDelivered = state === 'delivered';
  const resend = (reason: string) =>
    run(
      answerOf(
        api.POST('/v1/deliveries/{id}/retry', {
          params: { path: { id } },
          body: { ...(reason === '' ? {} : { reason }), ...(isDelivered ? { force: true } : {}) },
        }),
      ),
      'Resent',
      'We send it now.',
    );
  // It keeps the focus, which a removed button would lose.
  const command =
    state === 'sending' ? { 'data-disabled': true, 'aria-disabled': true } : { onClick: dialog.open };
  // The page says that the bank has cancelled it.
  if (endReason === 'cancelled_manually') return null;
  return (
    <>
      <Button leftSection={<IconSend size={16} aria-hidden />} {...command}>
        Resend
      </Button>
      <ReasonDialog
        opened={isAsking}
        onClose={dialog.close}
        title="Resend this notification"
        effect={
          isDelivered
            ? 'Your server has accepted it already, and receives it once more. It has the same notification id, by which your software recognises it.'
            : 'We send it now, with the same notification id. It still waits during a pause, while your server does not accept notifications, and for an earlier status of its payment.'
        }
        confirm="Resend"
        isOptional
        onConfirm={resend}
      />
    </>
  );
}
