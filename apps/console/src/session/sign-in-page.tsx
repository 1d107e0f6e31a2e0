import { Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { ProblemAlert } from '../feedback/problem-alert';
import { PageTitle } from '../layout/page-title';
import { OpenIdButton } from './openid-button';
import { ownPath } from './own-path';
import { useMe } from './use-me';
import { useSignIn } from './use-sign-in';

export function SignInPage() {
  const [apiKey, setApiKey] = useState('');
  const [search] = useSearchParams();
  const me = useMe();
  const signIn = useSignIn();

  if (me.data) return <Navigate to={ownPath(search.get('to'), window.location.origin)} replace />;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    signIn.mutate(apiKey.trim());
  };
  return (
    <Center component="main" mih="100dvh" p="md">
      <PageTitle title="Sign in" />
      <Paper withBorder p="xl" w="100%" maw={440}>
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h3">
              Payment notification dispatcher
            </Title>
            <Text>Sign in with an API key. It is exchanged for a session of 12 hours and not kept.</Text>
            <PasswordInput
              label="API key"
              name="apiKey"
              autoComplete="current-password"
              autoFocus
              required
              maxLength={300}
              value={apiKey}
              onChange={(event) => setApiKey(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the key' }}
            />
            {signIn.error !== null && <ProblemAlert error={signIn.error} title="Not signed in" />}
            <Button type="submit" loading={signIn.isPending}>
              Sign in
            </Button>
            <OpenIdButton to={search.get('to')} />
            <Text size="sm" c="dimmed">
              No key? Someone with the role admin makes one under “API keys”. The first one is ADMIN_API_KEY
              of the installation, or was printed by the first npm start. To look around you need the role
              viewer, to act on deliveries oncall.
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
