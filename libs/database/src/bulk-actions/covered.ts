import type { BulkActionKind, DeliveryFilter } from '#libs/contracts';
import { sql, type RawBuilder } from 'kysely';
import { condition, DEAD_OPEN, finishedCondition, halvesOf } from '../deliveries/deliveries.repository.js';

/** Which deliveries an action covers, as conditions on the tables of pending and of finished deliveries. */
export interface Coverage {
  /** The view, if the filter uses the derived state of pending deliveries; otherwise the table. */
  readonly pendingTable: 'pending_delivery_states' | 'pending_deliveries';
  readonly pending: RawBuilder<unknown>;
  /** A condition on `deliveries`. */
  readonly finished: RawBuilder<unknown>;
}

/** The matching deliveries that the action is for: pending ones (not for `settle`) and those of `scopeOf`. */
export function covered(action: BulkActionKind, filter: DeliveryFilter): Coverage {
  const { pending, finished } = halvesOf(filter);
  const isDerived = filter.state !== undefined || filter.holdReason !== undefined;
  return {
    pendingTable: isDerived ? 'pending_delivery_states' : 'pending_deliveries',
    pending: pending && action !== 'settle' ? condition(filter) : sql`false`,
    finished: finished ? sql`${finishedCondition(filter)} and ${scopeOf(action, filter)}` : sql`false`,
  };
}

/**
 * The states that an action covers. A cancelled delivery is retried only if the filter asks for cancelled ones. A settled
 * delivery is retried or cancelled only if the filter asks for settled ones; `replay` covers everything finished. The
 * states are literals, not parameters, so that PostgreSQL can choose a partial index.
 */
function scopeOf(action: BulkActionKind, { state, settled }: DeliveryFilter): RawBuilder<unknown> {
  const dead = settled === true ? sql`state = 'dead'` : DEAD_OPEN;
  switch (action) {
    case 'cancel':
      return dead;
    case 'retry':
      return state === 'cancelled' ? sql`state <> 'delivered'` : dead;
    case 'replay':
      if (state === 'cancelled') return sql`state <> 'delivered'`;
      return state === undefined || state === 'delivered' ? sql`true` : dead;
    case 'settle':
      return DEAD_OPEN;
  }
}
