import { Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { PageTitle } from './attention-count';

interface PageProps {
  title: string;
  /** The purpose of the screen in one sentence. */
  about?: ReactNode;
  /** The commands of the screen. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: heading, purpose, commands and content. */
export function Page({ title, about, actions, children }: PageProps) {
  const heading = useHeadingFocus();
  return (
    <Stack gap="md">
      <PageTitle title={title} />
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={1} size="h2" ref={heading} tabIndex={-1} style={NO_RING}>
            {title}
          </Title>
          {about !== undefined && (
            <Text component="div" c="dimmed">
              {about}
            </Text>
          )}
        </div>
        {/* On a phone a line of its own: a command must not move when another text changes its length. */}
        {actions !== undefined && (
          <Group gap="xs" w={{ base: '100%', sm: 'auto' }}>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}

/** The focus is for screen readers only; the heading takes no keys. */
const NO_RING = { outline: 'none' } as const;

/** The path of the last screen; null before the first, which leaves the focus to the browser. */
let shownPath: string | null = null;

/** Moves the focus to the heading of each new screen, so that a screen reader reads it and Tab starts there. */
function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    if (shownPath !== null && shownPath !== pathname) heading.current?.focus({ preventScroll: true });
    shownPath = pathname;
  }, [pathname]);
  return heading;
}
