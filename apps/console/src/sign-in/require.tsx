import { Container, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { LoadingState, ProblemAlert } from '../feedback';
import { Page } from '../page/page';
import { useMe, type Role } from '../signed-in/use-me';

/** Shows its content to signed-in people, and the sign-in page to others. */
export function RequireSession({ children }: { children: ReactNode }) {
  const me = useMe();
  const { pathname, search, hash } = useLocation();
  if (me.data) return children;
  if (me.data === null) {
    const there = `${pathname}${search}${hash}`;
    return (
      <Navigate
        to={there === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ to: there }).toString()}`}
        replace
      />
    );
  }
  return (
    <Container component="main" size="sm" py="xl">
      {me.error === null ? (
        <LoadingState what="your session" />
      ) : (
        <ProblemAlert
          error={me.error}
          title="Cannot read who is signed in"
          onRetry={() => void me.refetch()}
        />
      )}
    </Container>
  );
}

/** Shows a screen to people with one of these roles, and the required role to others. */
export function RequireRole({ roles, children }: { roles: readonly Role[]; children: ReactNode }) {
  const { data: me } = useMe();
  if (roles.some((role) => me?.may.includes(role))) return children;
  // A consumer's people are not shown which other screens exist.
  if (me?.may.includes('consumer') === true) return <Navigate to="/portal" replace />;
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
