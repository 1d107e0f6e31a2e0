import { Modal } from '@mantine/core';
import type { Consumer } from '../use-all-consumers';
import { TestForm } from './test-form';

interface TestDialogProps {
  consumer: Consumer;
  opened: boolean;
  onClose: () => void;
  credentials?: 'current' | 'next';
}

export function TestDialog({ consumer, opened, onClose, credentials = 'current' }: TestDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={`Send a test to ${consumer.name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {opened && <TestForm consumer={consumer} credentials={credentials} />}
    </Modal>
  );
}
