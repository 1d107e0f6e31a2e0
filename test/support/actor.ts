import type { Actor } from '#apps/api/src/access/audit-entry';
import type { AuditEntry } from '#libs/database';

/** A person on call, as the audit log records her. */
export const ANN: Actor = { name: 'ann', roles: ['oncall'], consumerId: null, address: '127.0.0.1' };

/** An audit entry of hers. */
export const AUDIT: AuditEntry = { actor: 'ann', action: 'act', target: 'it', address: null, details: {} };
