import { NavLink } from '@mantine/core';
import {
  IconAlertCircle,
  IconBellRinging,
  IconBuildingBank,
  IconCash,
  IconChecklist,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconReport,
  IconSend,
  type Icon,
} from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { useMe, type Role } from '../session/use-me';

interface Screen {
  readonly label: string;
  readonly path: string;
  readonly icon: Icon;
  /** One of these roles is required. */
  readonly roles: readonly Role[];
  /** Opens the screen when typed after `g`. */
  readonly key: string;
}

/** The navigation, in the order of use during an incident. */
export const SCREENS: readonly Screen[] = [
  { label: 'Overview', path: '/', icon: IconLayoutDashboard, roles: ['viewer'], key: 'o' },
  { label: 'Issues', path: '/issues', icon: IconAlertCircle, roles: ['viewer'], key: 'i' },
  { label: 'Deliveries', path: '/deliveries', icon: IconSend, roles: ['viewer'], key: 'd' },
  { label: 'Payments', path: '/payments', icon: IconCash, roles: ['viewer', 'producer'], key: 'p' },
  { label: 'Consumers', path: '/consumers', icon: IconBuildingBank, roles: ['viewer'], key: 'c' },
  { label: 'Bulk actions', path: '/bulk-actions', icon: IconChecklist, roles: ['viewer'], key: 'b' },
  { label: 'Channels', path: '/channels', icon: IconBellRinging, roles: ['viewer'], key: 'n' },
  { label: 'Report', path: '/reports', icon: IconReport, roles: ['viewer'], key: 'r' },
  { label: 'Audit', path: '/audit', icon: IconHistory, roles: ['admin'], key: 'a' },
  { label: 'API keys', path: '/api-keys', icon: IconKey, roles: ['admin'], key: 'k' },
];

/** The screens for the roles of the signed-in person. */
export function useScreens(): readonly Screen[] {
  const { data: me } = useMe();
  return SCREENS.filter(({ roles }) => roles.some((role) => me?.may.includes(role)));
}

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { pathname } = useLocation();
  return useScreens().map(({ label, path, icon: Symbol }) => {
    const isHere = path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`);
    return (
      <NavLink
        key={path}
        label={label}
        leftSection={<Symbol size={20} aria-hidden />}
        component={Link}
        to={path}
        active={isHere}
        variant="filled"
        {...(isHere ? { 'aria-current': 'page' as const } : {})}
        onClick={onNavigate}
      />
    );
  });
}
