import type { ReactNode } from 'react';
import { EmptyState } from '../feedback/empty-state';
import { useMe, type Role } from './use-me';

/** Shows a screen to whoever may act as one of these roles, and tells everybody else what they would need. */
export function RequireRole({ roles, children }: { roles: readonly Role[]; children: ReactNode }) {
  const { data: me } = useMe();
  if (roles.some((role) => me?.may.includes(role))) return children;
  return (
    <EmptyState title="This screen is not for your role">
      You are signed in as “{me?.name}” with the role {me?.roles.join(', ')}. This screen needs the role{' '}
      {roles.join(' or ')}.{' '}
      {me?.person === null
        ? 'Sign out and sign in with another key, or ask an admin for one.'
        : 'Ask whoever runs your sign-on for it, then sign in again.'}
    </EmptyState>
  );
}
