import { instantOf, type BulkActionKind } from '#libs/contracts';
import { sql, type RawBuilder } from 'kysely';
import { condition } from '../reading/deliveries.repository.js';
import type { BulkFilter } from './bulk-actions.table.js';

/**
 * Which deliveries an action covers, of the list's shape: those that the filter matches and that the action is for.
 * What somebody has cancelled is retried only if the filter asks for what is cancelled.
 */
export function covered(action: BulkActionKind, filter: BulkFilter): RawBuilder<unknown> {
  const { from, to, ...rest } = filter;
  const matches = condition({
    ...rest,
    ...(from === undefined ? {} : { from: instantOf(from) }),
    ...(to === undefined ? {} : { to: instantOf(to) }),
  });
  return sql`${matches} and ${scopeOf(action, filter)}`;
}

/** Written out, not as parameters: PostgreSQL then knows that the index of what is not delivered will do. */
function scopeOf(action: BulkActionKind, { state }: BulkFilter): RawBuilder<unknown> {
  switch (action) {
    case 'cancel':
      return sql`state <> 'delivered' and state <> 'cancelled'`;
    case 'retry':
      return state === 'cancelled'
        ? sql`state <> 'delivered'`
        : sql`state <> 'delivered' and state <> 'cancelled'`;
    case 'replay':
      return state === undefined || state === 'delivered' ? sql`true` : sql`state <> 'delivered'`;
  }
}
