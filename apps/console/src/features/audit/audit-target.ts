import type { AuditEntry } from './use-audit';

type Subject = Pick<AuditEntry, 'target' | 'targetName' | 'details'>;

/** What an entry is about: what it is called, and the screen that shows it. */
export function targetOf({ target, targetName, details }: Subject): { name: string; path: string | null } {
  const colon = target.indexOf(':');
  const [kind, id] = colon < 0 ? [target, ''] : [target.slice(0, colon), target.slice(colon + 1)];
  switch (kind) {
    case 'consumer':
      return { name: targetName ?? 'a consumer', path: `/consumers/${id}` };
    case 'delivery':
      return { name: 'a delivery', path: `/deliveries/${id}` };
    case 'event':
      return { name: 'an event', path: `/events/${id}` };
    case 'bulk-action':
      return { name: `a bulk ${bulkKindIn(details)}`, path: `/bulk-actions/${id}` };
    case 'api-key': {
      const name = targetName ?? 'a key';
      return { name: `“${name}”`, path: `/api-keys?${new URLSearchParams({ name }).toString()}` };
    }
    case 'queue':
      return { name: 'sending to everybody', path: '/' };
    default:
      return { name: target, path: null };
  }
}

const bulkKindIn = ({ action }: AuditEntry['details']): string =>
  typeof action === 'string' ? action : 'action';
