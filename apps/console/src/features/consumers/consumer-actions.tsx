import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { ReasonDialog } from '../../feedback/reason-dialog';
import { useMay } from '../../session/use-may';
import { ReplaySince } from '../bulk-actions/replay-since';
import { RemoveDialog } from './remove-dialog';
import { TestDialog } from './trying/test-dialog';
import type { Consumer } from './use-all-consumers';
import { useConsumerActions } from './use-consumer-actions';

/** The buttons beside a consumer's name. */
export function ConsumerActions({ consumer }: { consumer: Consumer }) {
  const isOnCall = useMay('oncall');
  const isOperator = useMay('operator');
  const [open, setOpen] = useState<'test' | 'pause' | 'resume' | 'remove' | null>(null);
  const { pause, resume } = useConsumerActions(consumer);
  const close = (): void => setOpen(null);
  const { name, state, circuit } = consumer;
  if (!isOnCall) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={16} />} onClick={() => setOpen('test')}>
        Send a test
      </Button>
      <ReplaySince consumer={consumer} />
      {state === 'active' && (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={16} />}
          onClick={() => setOpen('pause')}
        >
          Pause
        </Button>
      )}
      {(state === 'paused' || circuit !== null) && (
        <Button leftSection={<IconPlayerPlay size={16} />} onClick={() => setOpen('resume')}>
          Resume
        </Button>
      )}
      {isOperator && (
        <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setOpen('remove')}>
          Remove
        </Button>
      )}
      <TestDialog consumer={consumer} opened={open === 'test'} onClose={close} />
      <ReasonDialog
        opened={open === 'pause'}
        onClose={close}
        title={`Pause ${name}`}
        effect="Nothing more is sent to it until somebody resumes it. Its deliveries wait, however long, and none is lost: paused time does not count. What is being sent at this moment ends as it ends."
        confirm={`Pause ${name}`}
        onConfirm={pause}
      />
      <ReasonDialog
        opened={open === 'resume'}
        onClose={close}
        title={`Resume ${name}`}
        effect="Ends its pause. If it is taken to be down, one trial delivery goes out at once, and the rest when that one is acknowledged. Otherwise everything that waited goes out in order, at the consumer’s own pace."
        confirm={`Resume ${name}`}
        onConfirm={resume}
      />
      <RemoveDialog consumer={consumer} opened={open === 'remove'} onClose={close} />
    </>
  );
}
