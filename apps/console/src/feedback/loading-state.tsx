import { Group, Loader, Text } from '@mantine/core';

/** Before the first answer; later answers replace what is shown without this. */
export function LoadingState({ what }: { what: string }) {
  return (
    <Group justify="center" p="xl" role="status">
      <Loader size="sm" aria-hidden />
      <Text>Loading {what} …</Text>
    </Group>
  );
}
