import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageTitle } from './page-title';

interface PageProps {
  title: string;
  /** One sentence: what this screen is for. */
  about?: ReactNode;
  /** Buttons that act on what the screen shows. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: its heading, what it is for, what can be done, and its content. */
export function Page({ title, about, actions, children }: PageProps) {
  return (
    <Stack gap="md">
      <PageTitle title={title} />
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={1} size="h2">
            {title}
          </Title>
          {about !== undefined && (
            <Text component="div" c="dimmed">
              {about}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
