import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';
import { SecretOnce } from '../../feedback/secret-once';

/** The key, this one time. Going to another screen, Back and a reload are held up until it is kept. */
export function KeyMade({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const top = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone; Enter must not fall on the one that closes.
  useEffect(() => top.current?.focus(), []);
  const blocker = useBlocker(true);
  useBeforeUnload((event) => event.preventDefault());
  return (
    <Stack ref={top} tabIndex={-1} style={{ outline: 'none' }}>
      <SecretOnce what="API key" value={apiKey}>
        Copy it now, and hand it over by a way that you trust.
      </SecretOnce>
      {blocker.state === 'blocked' && (
        <Text role="alert" c="var(--mantine-color-error)">
          The key is still here. Keep it first; leaving this screen loses it.
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>I have kept the key, close</Button>
      </Group>
    </Stack>
  );
}
