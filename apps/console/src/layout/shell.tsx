import { Anchor, AppShell, Burger, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from 'react-router';
import { RunningBulkActions } from '../features/bulk-actions/running-bulk-actions';
import { RequireSession } from '../session/require';
import { useMay } from '../session/use-may';
import { useMe } from '../session/use-me';
import { HealthBanner } from '../status/health-banner';
import { AccountMenu } from './account-menu';
import { EnvironmentBadge } from './environment-badge';
import { GlobalSearch } from './global-search';
import { Navigation } from './navigation';
import styles from './shell.module.css';
import { ShortcutsDialog, useShortcuts } from './shortcuts';
import { useTroubleIcon } from './trouble-count';
import { ZoneButton } from './zone-button';

/** What surrounds every screen of somebody who is signed in. */
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
  const { data: me } = useMe();
  const { isOn, setOn } = useShortcuts(help.open);
  useTroubleIcon();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
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
            {/* A phone has no room for it; its menu begins with the Overview. */}
            <Anchor component={Link} to="/" c="inherit" fw={700} underline="never" visibleFrom="sm">
              Dispatcher
            </Anchor>
            <EnvironmentBadge environment={me?.environment} />
          </Group>
          <Group wrap="nowrap" gap="xs">
            <GlobalSearch />
            {isViewer && <RunningBulkActions />}
            <ZoneButton />
            <AccountMenu onShortcuts={help.open} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Screens">
        <Navigation onNavigate={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={styles['main']}>
        <Stack>
          <HealthBanner />
          <Outlet />
        </Stack>
      </AppShell.Main>
      <ShortcutsDialog opened={isHelpOpen} onClose={help.close} isOn={isOn} onSwitch={setOn} />
    </AppShell>
  );
}
