import type { ReactNode } from 'react';
import { Text } from '@mantine/core';
import { Page } from '../layout/page';
import { useMe, type Role } from './use-me';

/** Shows a screen to whoever may act as one of these roles, and says to everybody else what they would need. */
export function RequireRole({ roles, children }: { roles: readonly Role[]; children: ReactNode }) {
  const { data: me } = useMe();
  if (roles.some((role) => me?.may.includes(role))) return children;
  return (
    <Page title="No access">
      <Text>
        You are signed in as “{me?.name}” with the role {me?.roles.join(', ')}. This screen needs the role{' '}
        {roles.join(' or ')}.{' '}
        {me?.person === null
          ? 'Sign out and sign in with another key, or ask an admin for one.'
          : 'Ask the administrators of your single sign-on for it, then sign in again.'}
      </Text>
    </Page>
  );
}
