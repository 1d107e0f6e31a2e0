import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Page } from '../layout/page';

export function NoSuchScreen() {
  return (
    <Page title="Page not found">
      <Text>
        Nothing is at this address. Check it for a typing error, or go to the{' '}
        <Anchor component={Link} to="/">
          Overview
        </Anchor>
        .
      </Text>
    </Page>
  );
}
