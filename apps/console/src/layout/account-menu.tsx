import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconLogout } from '@tabler/icons-react';
import { useMe } from '../session/use-me';
import { useSignOut } from '../session/use-sign-out';

/** Who is signed in, what they may do, and the way out. */
export function AccountMenu() {
  const { data: me } = useMe();
  const signOut = useSignOut();
  if (!me) return null;
  const leave = (): void =>
    signOut.mutate(undefined, {
      onError: (error) =>
        notifications.show({ color: 'red', title: 'Not signed out', message: error.message }),
    });
  return (
    <Menu position="bottom-end" withArrow>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={16} />} maw={{ base: 150, sm: 260 }}>
          {me.person ?? me.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="sm" px="sm" py="xs" maw={260}>
          Signed in {me.person === null ? 'with the key' : 'as'} “{me.name}”. Role: {me.roles.join(', ')}.
        </Text>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
