import { instantOf, type BulkActionKind } from '#libs/contracts';
import { sql, type RawBuilder } from 'kysely';
import { condition } from '../reading/deliveries.repository.js';
import type { BulkFilter } from './bulk-actions.table.js';

/** Which deliveries an action covers, as conditions on the two places where deliveries lie. */
export interface Coverage {
  /** Where to look for pending ones: a view, if the filter asks for what is not stored. */
  readonly pendingTable: RawBuilder<unknown>;
  readonly pending: RawBuilder<unknown>;
  /** On `deliveries`. */
  readonly finished: RawBuilder<unknown>;
}

/**
 * Those that the filter matches and that the action is for: everything that is pending, and of what is finished what
 * `scopeOf` says.
 */
export function covered(action: BulkActionKind, filter: BulkFilter): Coverage {
  const { from, to, ...rest } = filter;
  const matches = condition({
    ...rest,
    ...(from === undefined ? {} : { from: instantOf(from) }),
    ...(to === undefined ? {} : { to: instantOf(to) }),
  });
  const isDerived = filter.state !== undefined || filter.holdReason !== undefined;
  return {
    pendingTable: sql.table(isDerived ? 'delivery_standing' : 'pending_deliveries'),
    pending: matches,
    finished: filter.holdReason === undefined ? sql`${matches} and ${scopeOf(action, filter)}` : sql`false`,
  };
}

/**
 * What somebody has cancelled is retried only if the filter asks for what is cancelled. Written out, not as parameters:
 * PostgreSQL then knows that the index of what is not delivered will do.
 */
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
