import type { Actor } from '#apps/api/src/access/audit-entry';

/** A person on call, as the audit log records her. */
export const ANN: Actor = { name: 'ann', roles: ['oncall'], consumerId: null, address: '127.0.0.1' };
