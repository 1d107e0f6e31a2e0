import { Container } from '@mantine/core';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { LoadingState } from '../feedback/loading-state';
import { ProblemAlert } from '../feedback/problem-alert';
import { useMe } from './use-me';

/** Shows its content to whoever is signed in, and the way in to everybody else. */
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
