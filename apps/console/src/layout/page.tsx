import { Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { PageTitle } from './attention-count';

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
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

/** It takes no keys: the focus is there to be read out. */
const NO_RING = { outline: 'none' } as const;

/** The screen that was shown last; none before the first, which leaves the focus where the browser begins. */
let shownPath: string | null = null;

/** Moves the focus to the heading of each new screen, so that it is read out and Tab begins there. */
function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    if (shownPath !== null && shownPath !== pathname) heading.current?.focus({ preventScroll: true });
    shownPath = pathname;
  }, [pathname]);
  return heading;
}
