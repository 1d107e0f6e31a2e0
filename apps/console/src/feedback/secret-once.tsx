import { Alert, Code, Group, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CopyButton } from '../formats';

interface SecretOnceProps {
  /** What it is, e.g. `Signing secret`. */
  what: string;
  value: string;
  /** What to do with it now. */
  children: string;
}

/** A secret that is shown this one time: it is on no other page, and nobody can look it up later. */
export function SecretOnce({ what, value, children }: SecretOnceProps) {
  return (
    <Alert color="yellow" icon={<IconKey />} title={`${what}: shown only once`}>
      <Text size="sm">{children} Nobody can see it again later.</Text>
      <Group gap="xs" mt="xs" wrap="nowrap">
        <Code aria-label={what} role="region" tabIndex={0} style={{ overflowWrap: 'anywhere' }} fz="sm">
          {value}
        </Code>
        <CopyButton value={value} what={what.toLowerCase()} />
      </Group>
    </Alert>
  );
}
