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
      'The next attempt is due now.',
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
            ? 'Your server has acknowledged it already, and receives it once more: with the same notificationId and a new signature.'
            : 'The next attempt is due now, with the same notificationId and a new signature. It still waits during a pause, while your server fails, and for an earlier status of its payment.'
        }
        confirm="Resend"
        isOptional
        onConfirm={resend}
      />
    </>
  );
}
