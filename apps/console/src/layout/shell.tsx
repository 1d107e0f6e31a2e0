import { Anchor, AppShell, Burger, Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconClock } from '@tabler/icons-react';
import { Link, Outlet } from 'react-router';
import { RunningBulkActions } from '../features/bulk-actions/running-bulk-actions';
import { chooseTimes, localZone, useZone, UTC, zoneLabel } from '../formats';
import { RequireSession } from '../sign-in/require';
import { useMay, useMe } from '../signed-in/use-me';
import { HealthBanner } from '../status/health-banner';
import { AccountMenu } from './account-menu';
import { useAttentionIcon } from '../page/attention-count';
import { Brand } from '../page/brand';
import { EnvironmentBadge } from '../page/environment-badge';
import { GlobalSearch } from '../features/search/global-search';
import { Navigation } from './navigation';
import styles from './shell.module.css';
import { Shortcuts } from './shortcuts';

/** The frame of every screen of a person who is signed in. */
export function Shell() {
  return (
    <RequireSession>
      <SignedInShell />
    </RequireSession>
  );
}

function SignedInShell() {
  const [isMenuOpen, menu] = useDisclosure(false);
  const [isHelpOpen, help] = useDisclosure(false);
  const isViewer = useMay('viewer');
  const isConsumer = useMay('consumer');
  const { data: me } = useMe();
  useAttentionIcon();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding="md"
    >
      <a className={styles['skip']} href="#content">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="sm" miw={0}>
            <Burger
              opened={isMenuOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isMenuOpen ? 'Close the navigation' : 'Open the navigation'}
            />
            {/* Too wide for a phone, whose menu begins with the Overview. */}
            <Anchor component={Link} to="/" c="inherit" fw={700} underline="never" visibleFrom="sm">
              <Brand />
            </Anchor>
            <EnvironmentBadge environment={me?.environment} />
          </Group>
          <Group wrap="nowrap" gap="xs">
            {!isConsumer && <GlobalSearch />}
            {isViewer && <RunningBulkActions />}
            <ZoneButton />
            <AccountMenu onShortcuts={help.open} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Screens">
        <Navigation onNavigate={menu.close} />
        <Text component="footer" size="xs" c="dimmed" mt="auto" px="sm">
          {me?.version !== undefined && `Version ${me.version}`}
        </Text>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={styles['main']}>
        <Stack>
          {!isConsumer && <HealthBanner />}
          <Outlet />
        </Stack>
      </AppShell.Main>
      <Shortcuts opened={isHelpOpen} onOpen={help.open} onClose={help.close} />
    </AppShell>
  );
}

/** The zone of every time, also in fields; a click switches it. */
function ZoneButton() {
  const zone = useZone();
  const isUtc = zone === UTC;
  const offer = isUtc ? `local time (${localZone()})` : 'UTC';
  return (
    <Tooltip label={`All times are in ${isUtc ? UTC : zone}. Show ${offer}.`}>
      <Button
        variant="default"
        px="xs"
        leftSection={<IconClock size={16} aria-hidden />}
        aria-label={`Times in ${zoneLabel(zone)}. Show ${offer}`}
        onClick={() => chooseTimes(isUtc ? 'local' : 'utc')}
      >
        {zoneLabel(zone)}
      </Button>
    </Tooltip>
  );
}
