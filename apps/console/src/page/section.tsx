import { Stack, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

/** A part of a screen under its own heading; with `id`, links within the screen lead to it. */
export function Section({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  const generated = useId();
  const headingId = id ?? generated;
  return (
    <Stack component="section" aria-labelledby={headingId} gap="xs">
      <Title order={2} size="h4" id={headingId} tabIndex={-1}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}
