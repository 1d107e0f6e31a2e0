import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';
import { SecretOnce } from './secret-once';

interface StoredSecretProps {
  /** The name of the secret, e.g. `API key`. */
  what: string;
  value: string;
  /** What the person has to do with it. */
  children: string;
  onDone: () => void;
}

/** A dialog's content that shows a secret once. Other screens, Back and a reload are blocked until it is stored. */
export function StoredSecret({ what, value, children, onDone }: StoredSecretProps) {
  const top = useRef<HTMLDivElement>(null);
  // The focused button is gone; Enter must not press the button that closes.
  useEffect(() => top.current?.focus(), []);
  const blocker = useBlocker(true);
  useBeforeUnload((event) => event.preventDefault());
  const name = what === 'API key' ? 'key' : what.toLowerCase();
  return (
    <Stack ref={top} tabIndex={-1} style={{ outline: 'none' }}>
      <SecretOnce what={what} value={value}>
        {children}
      </SecretOnce>
      {blocker.state === 'blocked' && (
        <Text role="alert" c="var(--mantine-color-error)">
          The {name} is still here. Store it first; leaving this screen loses it.
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>I have stored the {name}. Close</Button>
      </Group>
    </Stack>
  );
}
