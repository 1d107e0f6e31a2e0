import { Group, Loader, Text } from '@mantine/core';

/** Shown before the first answer only. */
export function LoadingState({ what }: { what: string }) {
  return (
    <Group justify="center" p="xl" role="status">
      <Loader size="sm" aria-hidden />
      <Text>Loading {what} …</Text>
    </Group>
  );
}
