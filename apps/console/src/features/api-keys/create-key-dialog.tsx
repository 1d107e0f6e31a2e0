import { Modal } from '@mantine/core';
import { useState } from 'react';
import { CreateKeyForm } from './create-key-form';
import { KeyMade } from './key-made';

/** Makes a key and shows it this once: from then on nothing but its own button closes the dialog. */
export function CreateKeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  const close = (): void => {
    setMade(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made === null ? 'Make an API key' : `The key “${made.name}” is made`}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={made === null}
      withCloseButton={made === null}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {opened && made === null && <CreateKeyForm onMade={setMade} onCancel={close} />}
      {made !== null && <KeyMade apiKey={made.key} onDone={close} />}
    </Modal>
  );
}
