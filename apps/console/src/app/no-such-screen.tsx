import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../feedback/empty-state';
import { PageTitle } from '../layout/page-title';

export function NoSuchScreen() {
  return (
    <EmptyState title="There is no such screen">
      <PageTitle title="Not found" />
      The address may be mistyped. Everything starts at the{' '}
      <Anchor component={Link} to="/">
        overview
      </Anchor>
      .
    </EmptyState>
  );
}
