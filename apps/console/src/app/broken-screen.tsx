import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { EmptyState } from '../feedback';
import { TextLink } from '../formats';
import { Page } from '../layout/page';

/** In a screen's place when it failed to load or to draw; the rest of the console goes on. */
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

/** At an address that is no screen's. */
export const NoSuchScreen = () => (
  <Page title="Page not found">
    <Text>
      Nothing is at this address. Check it for a typing error, or go to the{' '}
      <TextLink to="/">Overview</TextLink>.
    </Text>
  </Page>
);
