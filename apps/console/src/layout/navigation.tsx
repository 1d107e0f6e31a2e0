import { NavLink } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { useMe } from '../session/use-me';
import { SCREENS } from './screens';

/** The screens that whoever is signed in may see. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { data: me } = useMe();
  const { pathname } = useLocation();
  return SCREENS.filter(({ roles }) => roles.some((role) => me?.may.includes(role))).map(
    ({ label, path, icon: Symbol }) => {
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
    },
  );
}
