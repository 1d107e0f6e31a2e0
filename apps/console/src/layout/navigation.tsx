import { NavLink } from '@mantine/core';
import {
  IconAlertCircle,
  IconBellRinging,
  IconBuildingBank,
  IconCash,
  IconChecklist,
  IconFile,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconLock,
  IconRepeat,
  IconReport,
  IconSend,
  IconSignature,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { useMe, type Role } from '../signed-in/use-me';

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

/** The navigation of a consumer's own people, who see nothing else. */
const PORTAL_SCREENS: readonly Screen[] = [
  { label: 'Overview', path: '/portal', icon: IconLayoutDashboard, roles: ['consumer'], key: 'o' },
  { label: 'Deliveries', path: '/portal/deliveries', icon: IconSend, roles: ['consumer'], key: 'd' },
  { label: 'Sent again', path: '/portal/replays', icon: IconRepeat, roles: ['consumer'], key: 'r' },
  { label: 'Your address', path: '/portal/endpoint', icon: IconWorld, roles: ['consumer'], key: 'e' },
  { label: 'Credentials', path: '/portal/credentials', icon: IconLock, roles: ['consumer'], key: 'c' },
  { label: 'Notifications', path: '/portal/notifications', icon: IconFile, roles: ['consumer'], key: 'n' },
  { label: 'Verification', path: '/portal/verification', icon: IconSignature, roles: ['consumer'], key: 'v' },
  { label: 'Alerts', path: '/portal/alerts', icon: IconBellRinging, roles: ['consumer'], key: 'a' },
  { label: 'API keys', path: '/portal/keys', icon: IconKey, roles: ['consumer'], key: 'k' },
];

/** The screens for the roles of the signed-in person. */
export function useScreens(): readonly Screen[] {
  const { data: me } = useMe();
  return [...SCREENS, ...PORTAL_SCREENS].filter(({ roles }) => roles.some((role) => me?.may.includes(role)));
}

/** Paths under which other screens are. */
const OVERVIEWS: ReadonlySet<string> = new Set(['/', '/portal']);

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { pathname } = useLocation();
  return useScreens().map(({ label, path, icon: Symbol }) => {
    const isHere = pathname === path || (!OVERVIEWS.has(path) && pathname.startsWith(`${path}/`));
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
