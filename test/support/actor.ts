import type { Actor } from '#apps/api/src/access/audit-entry';

/** Somebody on call. */
export const ANN: Actor = { name: 'ann', roles: ['oncall'], consumerId: null, address: '127.0.0.1' };
