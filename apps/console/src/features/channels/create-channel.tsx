import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { answerOf, api } from '../../api';
import { StoredSecret } from '../../feedback';
import { ChannelForm } from './channel-form';
import { changeOf, NEW_CHANNEL, type ChannelValues } from './channel-values';

const create = (values: ChannelValues) =>
  answerOf(
    api.POST('/v1/channels', {
      body: { ...changeOf(values), name: values.name.trim(), kind: values.kind },
    }),
  );

/** The button that creates a channel; a webhook's signing secret is shown once, and only its button then closes the dialog. */
export function CreateChannel() {
  const [opened, dialog] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  const close = (): void => {
    setSecret(null);
    dialog.close();
  };
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
        Create channel
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={secret === null ? 'Create a channel' : 'The channel is created'}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={secret === null}
        withCloseButton={secret === null}
      >
        {opened && secret === null && (
          <ChannelForm
            initial={NEW_CHANNEL}
            isNew
            save={create}
            onSaved={({ signingSecret }) =>
              signingSecret === undefined ? close() : setSecret(signingSecret)
            }
            onCancel={close}
          />
        )}
        {secret !== null && (
          <StoredSecret what="Signing secret" value={secret} onDone={close}>
            Copy it now into the system that receives the messages.
          </StoredSecret>
        )}
      </Modal>
    </>
  );
}
