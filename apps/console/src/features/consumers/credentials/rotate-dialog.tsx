import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { Schema } from '../../../api/schema';
import type { Consumer } from '../use-all-consumers';
import { RotateForm } from './rotate-form';
import { Rotated } from './rotated';

interface RotateDialogProps {
  consumer: Consumer;
  opened: boolean;
  onClose: () => void;
}

/** A new version of the credentials: what changes, from when, and then what to tell the customer. */
export function RotateDialog({ consumer, opened, onClose }: RotateDialogProps) {
  const [added, setAdded] = useState<Schema<'CredentialsAddedDto'> | null>(null);
  // A secret that is shown once is not to vanish by a slip.
  const isShowingSecret = added?.signingSecret !== undefined;
  const close = (): void => {
    setAdded(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={`Rotate the credentials of ${consumer.name}`}
      closeOnClickOutside={false}
      closeOnEscape={!isShowingSecret}
      withCloseButton={!isShowingSecret}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {opened &&
        (added === null ? (
          <RotateForm consumer={consumer} onAdded={setAdded} onClose={close} />
        ) : (
          <Rotated consumer={consumer} added={added} onClose={close} />
        ))}
    </Modal>
  );
}
