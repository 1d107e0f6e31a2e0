import {
  fetchDeliveries,
  recordAttempts,
  type AttemptResult,
  type FetchedConsumer,
  type FetchedDelivery,
  type Statements,
} from '#libs/database';
import { sql } from 'kysely';
import { attemptResult } from '#test/support/open-session';

export const DELIVERED: AttemptResult['next'] = { state: 'delivered' };
export const DEAD: AttemptResult['next'] = { state: 'dead' };
export const LATER: AttemptResult['next'] = { retryInMs: 3_600_000, spendsAttempt: true };

/** A delivery session like a worker's; the test decides what is sent and with which result. */
export class TestSession {
  /** Opens a session, which ends the consumer's previous one. */
  static async open(pipeline: Statements, consumerId: string): Promise<TestSession> {
    const [opened] = await fetchDeliveries(pipeline, [
      { consumerId, session: null, wanted: 0, inFlight: [] },
    ]);
    if (opened === undefined) throw new Error('opening a session always returns a row');
    return new TestSession(pipeline, opened.consumer);
  }

  private readonly fetched = new Map<string, FetchedDelivery>();

  constructor(
    private readonly pipeline: Statements,
    readonly consumer: FetchedConsumer,
  ) {}

  /** Fetches the deliveries that are due and not blocked. */
  async fetch(wanted = 100): Promise<FetchedDelivery[]> {
    const { consumerId, session } = this.consumer;
    const [fetched] = await fetchDeliveries(this.pipeline, [{ consumerId, session, wanted, inFlight: [] }]);
    for (const delivery of fetched?.deliveries ?? []) this.fetched.set(delivery.id, delivery);
    return (fetched?.deliveries ?? []).filter(({ blockedBy }) => blockedBy === null);
  }

  /** The result of the next attempt of a delivery; the first one if the delivery was not fetched. */
  result(deliveryId: string, next: AttemptResult['next']): AttemptResult {
    const { consumerId, session, url, credentialVersion } = this.consumer;
    const succeeded = 'state' in next && next.state === 'delivered';
    return attemptResult({
      consumerId,
      session,
      deliveryId,
      number: (this.fetched.get(deliveryId)?.attempts ?? 0) + 1,
      scheduleStep: this.fetched.get(deliveryId)?.scheduleStep ?? 0,
      outcome: succeeded ? 'acknowledged' : 'http_status',
      httpStatus: succeeded ? 200 : 500,
      detail: 'answered',
      url,
      credentialVersion: credentialVersion ?? 0,
      responseHeaders: null,
      responseBody: null,
      next,
    });
  }

  /** Records one attempt. @returns false if another session has the delivery; then nothing was written */
  async record(deliveryId: string, next: AttemptResult['next']): Promise<boolean> {
    const { fenced } = await recordAttempts(this.pipeline, [this.result(deliveryId, next)]);
    return !fenced.has(deliveryId);
  }
}

/** Fetches a delivery that is due and not blocked, and records one attempt. */
export async function attempt(
  pipeline: Statements,
  deliveryId: string,
  next: AttemptResult['next'] = { state: 'dead' },
): Promise<FetchedDelivery> {
  const { rows } = await sql<{ consumer_id: string }>`
    select consumer_id from pending_deliveries where id = ${deliveryId}`.execute(pipeline.db);
  const session = await TestSession.open(pipeline, rows[0]?.consumer_id ?? '');
  const fetched = (await session.fetch()).find(({ id }) => id === deliveryId);
  if (fetched === undefined) throw new Error('the delivery is not due, or it is blocked');
  await session.record(deliveryId, next);
  return fetched;
}
