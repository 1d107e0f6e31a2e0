import { Alert, Code, Group, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CopyButton } from '../formats';

interface SecretOnceProps {
  /** The name of the secret, e.g. `Signing secret`. */
  what: string;
  value: string;
  /** What the person has to do with it. */
  children: string;
}

/** A secret that is shown once and cannot be read again. */
export function SecretOnce({ what, value, children }: SecretOnceProps) {
  return (
    <Alert color="yellow" icon={<IconKey />} title={`${what}: shown only once`}>
      <Text size="sm">{children} It cannot be shown again.</Text>
      <Group gap="xs" mt="xs" wrap="nowrap">
        <Code aria-label={what} role="region" tabIndex={0} style={{ overflowWrap: 'anywhere' }} fz="sm">
          {value}
        </Code>
        <CopyButton value={value} what={what.toLowerCase()} />
      </Group>
    </Alert>
  );
}
