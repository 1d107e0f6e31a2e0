import { Anchor } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { LoadingState } from '../feedback/loading-state';
import { ProblemAlert } from '../feedback/problem-alert';
import { ownPath } from './own-path';
import { SignInFrame } from './sign-in-page';
import { useFinishOpenId, wantedPath } from './use-openid';

/** Where the provider sends the browser back to. */
export function OpenIdAnswerPage() {
  const answer = useLocation().search.slice(1);
  const { mutate, isSuccess, error } = useFinishOpenId();
  const isSent = useRef(false);
  useEffect(() => {
    // An answer holds once; React's strict mode has every effect twice.
    if (!isSent.current) mutate(answer);
    isSent.current = true;
  }, [mutate, answer]);

  if (isSuccess) return <Navigate to={ownPath(wantedPath(), window.location.origin)} replace />;
  return (
    <SignInFrame>
      {error === null ? (
        <LoadingState what="your session" />
      ) : (
        <>
          <ProblemAlert error={error} title="Not signed in" />
          <Anchor component={Link} to="/sign-in" replace>
            Back to signing in
          </Anchor>
        </>
      )}
    </SignInFrame>
  );
}
