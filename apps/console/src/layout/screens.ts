import {
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
import type { Role } from '../session/use-me';

export interface Screen {
  readonly label: string;
  readonly path: string;
  readonly icon: Icon;
  /** Whoever may act as one of these sees it. */
  readonly roles: readonly Role[];
  /** Typed after `g` it goes there. */
  readonly key: string;
}

/** The navigation, in the order in which somebody who was just woken needs it. */
export const SCREENS: readonly Screen[] = [
  { label: 'Overview', path: '/', icon: IconLayoutDashboard, roles: ['viewer'], key: 'o' },
  { label: 'Deliveries', path: '/deliveries', icon: IconSend, roles: ['viewer'], key: 'd' },
  { label: 'Payments', path: '/payments', icon: IconCash, roles: ['viewer', 'producer'], key: 'p' },
  { label: 'Consumers', path: '/consumers', icon: IconBuildingBank, roles: ['viewer'], key: 'c' },
  { label: 'Bulk actions', path: '/bulk-actions', icon: IconChecklist, roles: ['viewer'], key: 'b' },
  { label: 'Report', path: '/reports', icon: IconReport, roles: ['viewer'], key: 'r' },
  { label: 'Audit', path: '/audit', icon: IconHistory, roles: ['admin'], key: 'a' },
  { label: 'API keys', path: '/api-keys', icon: IconKey, roles: ['admin'], key: 'k' },
];
