import { ActionIcon, AppShell, Burger, Group, Stack, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKeyboard } from '@tabler/icons-react';
import { Link, Outlet } from 'react-router';
import { RunningBulkActions } from '../features/bulk-actions/running-bulk-actions';
import { RequireSession } from '../session/require-session';
import { useMay } from '../session/use-may';
import { HealthBanner } from '../status/health-banner';
import { AccountMenu } from './account-menu';
import { ColorSchemeButton } from './color-scheme-button';
import { GlobalSearch } from './global-search';
import { Navigation } from './navigation';
import styles from './shell.module.css';
import { ShortcutsDialog } from './shortcuts-dialog';
import { useShortcuts } from './use-shortcuts';

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
  useShortcuts(help.open);
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
          <Group wrap="nowrap" gap="sm">
            <Burger
              opened={isMenuOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isMenuOpen ? 'Close the navigation' : 'Open the navigation'}
            />
            <Link to="/" className={styles['brand']}>
              Dispatcher
            </Link>
          </Group>
          <Group wrap="nowrap" gap="xs">
            <GlobalSearch />
            {isViewer && <RunningBulkActions />}
            <Tooltip label="Keyboard shortcuts (?)">
              <ActionIcon
                variant="default"
                size="lg"
                aria-label="Keyboard shortcuts"
                onClick={help.open}
                visibleFrom="sm"
              >
                <IconKeyboard size={20} />
              </ActionIcon>
            </Tooltip>
            <ColorSchemeButton />
            <AccountMenu />
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
      <ShortcutsDialog opened={isHelpOpen} onClose={help.close} />
    </AppShell>
  );
}
