import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../../feedback/empty-state';
import { Page } from '../../layout/page';
import { useMe } from '../../session/use-me';

/** For keys that may post events and read them back, and nothing else. */
export function ProducerWelcome() {
  const { data: me } = useMe();
  return (
    <Page title="Welcome">
      <EmptyState title="Your payments are one click away">
        You are signed in as “{me?.name}”, which reports status changes. Under Payments you see what you have
        posted and whether each consumer was told. How the dispatcher itself is, is shown to keys with the
        role viewer.
        <div>
          <Button component={Link} to="/payments" mt="md">
            Go to Payments
          </Button>
        </div>
      </EmptyState>
    </Page>
  );
}
