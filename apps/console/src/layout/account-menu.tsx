import { Button, Menu, Text, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconChevronDown,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
  type Icon,
} from '@tabler/icons-react';
import { useMe } from '../signed-in/use-me';
import { useSignOut } from '../signed-in/sign-in-and-out';

const COLOURS: Readonly<Record<MantineColorScheme, { next: MantineColorScheme; label: string; icon: Icon }>> =
  {
    auto: { next: 'light', label: 'Colours: as the system', icon: IconDeviceDesktop },
    light: { next: 'dark', label: 'Colours: light', icon: IconSun },
    dark: { next: 'auto', label: 'Colours: dark', icon: IconMoon },
  };

/** The signed-in person and role, the colours, the shortcuts, and signing out. */
export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { data: me } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  if (!me) return null;
  const { next, label, icon: Symbol } = COLOURS[colorScheme];
  const leave = (): void =>
    signOut.mutate(undefined, {
      onError: (error) =>
        notifications.show({ color: 'red', title: 'Not signed out', message: error.message }),
    });
  return (
    <Menu position="bottom-end" withArrow>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={16} />}
          px="xs"
          maw={{ base: 100, sm: 260 }}
        >
          {me.person ?? me.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="sm" px="sm" py="xs" maw={260}>
          Signed in {me.person === null && me.consumerId === null ? 'with the key' : 'as'} “{me.name}”.{' '}
          {me.consumerName === null ? `Role: ${me.roles.join(', ')}.` : `Of ${me.consumerName}.`}
        </Text>
        <Menu.Item
          leftSection={<Symbol size={16} />}
          closeMenuOnClick={false}
          onClick={() => setColorScheme(next)}
        >
          {label}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
