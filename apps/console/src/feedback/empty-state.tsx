import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** There is nothing to show; `children` explain why and what to do. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" p="xl">
      <Title order={2} size="h4" ta="center">
        {title}
      </Title>
      <Text component="div" c="dimmed" ta="center" maw={560}>
        {children}
      </Text>
    </Stack>
  );
}
