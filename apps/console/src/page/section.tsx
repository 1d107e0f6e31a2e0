import { Group, Stack, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

interface SectionProps {
  title: string;
  /** Links within the screen lead to it. */
  id?: string;
  /** Beside the heading. */
  controls?: ReactNode;
  children: ReactNode;
}

/** A part of a screen under its own heading. */
export function Section({ title, id, controls, children }: SectionProps) {
  const generated = useId();
  const headingId = id ?? generated;
  return (
    <Stack component="section" aria-labelledby={headingId} gap="xs">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4" id={headingId} tabIndex={-1}>
          {title}
        </Title>
        {controls}
      </Group>
      {children}
    </Stack>
  );
}
