import { Button, Divider } from '@mantine/core';
import { ProblemAlert } from '../feedback/problem-alert';
import { useBeginOpenId, useOpenIdLabel } from './use-openid';

/** The way to the provider's page, where the api says that there is a provider. */
export function OpenIdButton({ to }: { to: string | null }) {
  const label = useOpenIdLabel();
  const begin = useBeginOpenId(to);
  if (label === null || label === undefined) return null;
  return (
    <>
      <Divider label="or" />
      {begin.error !== null && <ProblemAlert error={begin.error} title="Not signed in" />}
      <Button variant="default" loading={begin.isPending || begin.isSuccess} onClick={() => begin.mutate()}>
        Sign in with {label}
      </Button>
    </>
  );
}
