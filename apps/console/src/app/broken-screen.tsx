import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { EmptyState } from '../feedback';
import { TextLink } from '../formats';
import { Page } from '../page/page';

/** Replaces a screen that failed to load or to render; the rest of the console keeps working. */
export function BrokenScreen() {
  const error = useRouteError();
  return (
    <Stack align="center">
      <EmptyState title="This screen failed">
        This is a fault of the console. Deliveries are not affected. If the dispatcher was just updated,
        reload to get the new version.
        <Code block mt="sm">
          {error instanceof Error ? error.message : String(error)}
        </Code>
      </EmptyState>
      <Group>
        <Button onClick={() => window.location.reload()}>Reload</Button>
        <Button component={Link} to="/" variant="default">
          Overview
        </Button>
      </Group>
    </Stack>
  );
}

/** The screen of an unknown address. */
export const NoSuchScreen = () => (
  <Page title="Page not found">
    <Text>
      Nothing is at this address. Check it for a typing error, or go to the{' '}
      <TextLink to="/">Overview</TextLink>.
    </Text>
  </Page>
);
