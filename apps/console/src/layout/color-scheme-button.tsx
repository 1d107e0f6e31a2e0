import { ActionIcon, Tooltip, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun, type Icon } from '@tabler/icons-react';

const NEXT: Readonly<Record<MantineColorScheme, { next: MantineColorScheme; label: string; icon: Icon }>> = {
  auto: { next: 'light', label: 'Colours: as the system', icon: IconDeviceDesktop },
  light: { next: 'dark', label: 'Colours: light', icon: IconSun },
  dark: { next: 'auto', label: 'Colours: dark', icon: IconMoon },
};

/** Goes through light, dark and whatever the system has; remembered by this browser. */
export function ColorSchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { next, label, icon: Symbol } = NEXT[colorScheme];
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={`${label}. Change`}
        onClick={() => setColorScheme(next)}
      >
        <Symbol size={20} />
      </ActionIcon>
    </Tooltip>
  );
}
