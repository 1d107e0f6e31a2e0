import { Alert, Button, Divider, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { answerOf, api } from '../api';
import { LoadingState, ProblemAlert } from '../feedback';
import { EnvironmentBadge } from '../page/environment-badge';
import { PageTitle } from '../page/attention-count';
import { Brand } from '../page/brand';
import { useSignInOffer } from '../queries/use-sign-in-offer';
import { ownPath } from './own-path';
import { useSignedIn, whySignedOut } from '../signed-in/sign-in-and-out';
import { useMe } from '../signed-in/use-me';

/** The screen to open after signing in, stored in the tab while it is at the provider. Untrusted. */
const WANTED = 'sign-in-to';

export function SignInPage() {
  const [link, setLink] = useState(takeLink);
  // A link that is opened in a tab which shows this page already changes the fragment only.
  useEffect(() => {
    const take = (): void => setLink((known) => takeLink() ?? known);
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return link === null ? <KeySignIn /> : <LinkSignIn link={link} onGiveUp={() => setLink(null)} />;
}

/** The token of a sign-in link. It is removed from the address at once, so that no history and no copied address has it. */
function takeLink(): string | null {
  const link = new URLSearchParams(window.location.hash.slice(1)).get('link');
  if (link !== null) window.history.replaceState(window.history.state, '', window.location.pathname);
  return link;
}

/** Uses a sign-in link after a click: a preview or a scanner that opens the address must not use it up. */
function LinkSignIn({ link, onGiveUp }: { link: string; onGiveUp: () => void }) {
  const signIn = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/session/link', { body: { token: link } })),
    onSuccess: useSignedIn(),
  });
  if (signIn.isSuccess) return <Navigate to="/portal" replace />;
  return (
    <SignInFrame>
      <Stack>
        <Text>
          With this link you see the payment notifications of your own system, for 12 hours. It can be used
          once.
        </Text>
        {signIn.error === null ? (
          <Button loading={signIn.isPending} onClick={() => signIn.mutate()}>
            Sign in with the link
          </Button>
        ) : (
          <>
            <ProblemAlert error={signIn.error} title="Not signed in" />
            <Button variant="default" onClick={onGiveUp}>
              Sign in with an API key
            </Button>
          </>
        )}
      </Stack>
    </SignInFrame>
  );
}

function KeySignIn() {
  // The demo prints a link with its key; a fragment is never sent to a server.
  const [apiKey, setApiKey] = useState(
    () => new URLSearchParams(window.location.hash.slice(1)).get('key') ?? '',
  );
  const [search] = useSearchParams();
  const [why] = useState(whySignedOut);
  const me = useMe();
  const offer = useSignInOffer();
  const signIn = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/session', { body: { apiKey: apiKey.trim() } })),
    onSuccess: useSignedIn(),
  });

  if (me.data) return <Navigate to={ownPath(search.get('to'), window.location.origin)} replace />;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <SignInFrame>
      <form onSubmit={submit}>
        <Stack>
          {why !== undefined && (
            <Alert color="yellow" icon={<IconLogout />} title="You were signed out">
              <Text size="sm">
                {why}
                {search.has('to') && ' After signing in you return to the screen where you were.'}
              </Text>
            </Alert>
          )}
          <Text>Sign in with an API key. It is exchanged for a session of 12 hours and not stored.</Text>
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
          {offer?.label != null && <OpenIdButton label={offer.label} to={search.get('to')} />}
          <Text size="sm" c="dimmed">
            No key? Ask an admin for one. The role viewer shows everything; the role oncall also acts on
            deliveries.
          </Text>
        </Stack>
      </form>
    </SignInFrame>
  );
}

/** The frame of the sign-in pages: the names of the product and of the installation. */
function SignInFrame({ children }: { children: ReactNode }) {
  const offer = useSignInOffer();
  return (
    <Stack component="main" align="center" justify="center" mih="100dvh" p="md">
      <PageTitle title="Sign in" />
      <Paper component={Stack} withBorder p="xl" w="100%" maw={440}>
        <Group justify="space-between">
          <Title order={1} size="h3">
            {offer?.brand.name == null ? 'Payment notification dispatcher' : <Brand />}
          </Title>
          <EnvironmentBadge environment={offer?.environment} />
        </Group>
        {children}
      </Paper>
    </Stack>
  );
}

/** Opens the provider's page. */
function OpenIdButton({ label, to }: { label: string; to: string | null }) {
  const begin = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/session/openid')),
    onSuccess: ({ location }) => {
      window.sessionStorage.setItem(WANTED, to ?? '');
      window.location.assign(location);
    },
  });
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

/** The page to which the provider redirects. */
export function OpenIdAnswerPage() {
  const answer = useLocation().search.slice(1);
  const { mutate, isSuccess, error } = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/session/openid/answer', { body: { answer } })),
    onSuccess: useSignedIn(),
  });
  const isSent = useRef(false);
  useEffect(() => {
    // An answer can be used once, but React's strict mode runs every effect twice.
    if (!isSent.current) mutate();
    isSent.current = true;
  }, [mutate]);

  if (isSuccess) {
    const wanted = window.sessionStorage.getItem(WANTED);
    return <Navigate to={ownPath(wanted, window.location.origin)} replace />;
  }
  return (
    <SignInFrame>
      {error === null ? (
        <LoadingState what="your session" />
      ) : (
        <>
          <ProblemAlert error={error} title="Not signed in" />
          <Button component={Link} to="/sign-in" replace variant="default">
            Back to signing in
          </Button>
        </>
      )}
    </SignInFrame>
  );
}
