import type { Client } from 'pg';
import type { StatusChange } from '#packages/client';

/** A new status of a wire payment. */
export interface NewStatus {
  readonly paymentId: string;
  readonly status: string;
}

/**
 * What a payment system does when a payment changes: one transaction updates the payment and inserts the event, so that
 * both are committed or neither is.
 * @param beforeCommit may throw, like any other step of the transaction; then nothing is committed
 */
export async function recordStatus(
  database: Client,
  { paymentId, status }: NewStatus,
  beforeCommit: () => Promise<void> | void = () => undefined,
): Promise<void> {
  const event: StatusChange = {
    eventType: 'wire.status',
    eventDateTime: new Date().toISOString(),
    data: { wireEventInfo: { paymentId, status } },
  };
  await database.query('begin');
  try {
    await database.query(
      `insert into wires (payment_id, status) values ($1, $2)
       on conflict (payment_id) do update set status = excluded.status`,
      [paymentId, status],
    );
    await database.query('insert into outbox (payment, event) values ($1, $2)', [
      `wire:${paymentId}`,
      JSON.stringify(event),
    ]);
    await beforeCommit();
    await database.query('commit');
  } catch (error) {
    await database.query('rollback');
    throw error;
  }
}
