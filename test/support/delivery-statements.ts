import { fetchDeliveries, type AttemptResult, type Queryable, type Statements } from '#libs/database';
import { attemptResult } from '#test/support/open-session';

/** Opens a session of a consumer, and fetches what is due. */
export async function openSession(over: Statements, consumerId: string, wanted = 10) {
  const [fetched] = await fetchDeliveries(over, [{ consumerId, session: null, wanted, inFlight: [] }]);
  if (fetched === undefined) throw new Error('opening a session always returns a row');
  return fetched;
}

/** Fetches what is due in an open session; undefined: nothing is. */
export const fetchMore = async (
  over: Statements,
  consumerId: string,
  session: number,
  inFlight: string[] = [],
  wanted = 10,
) => (await fetchDeliveries(over, [{ consumerId, session, wanted, inFlight }]))[0];

/** The result of a first attempt of a delivery, by default acknowledged. */
export const resultFor = (
  consumerId: string,
  session: number,
  deliveryId: string,
  given: Partial<AttemptResult> = {},
): AttemptResult => attemptResult({ consumerId, session, deliveryId, ...given });

/** A consumer's pending deliveries, in the order of their numbers. */
export const pendingOf = (db: Queryable, consumerId: string) =>
  db
    .selectFrom('pending_deliveries')
    .select(['id', 'attempts', 'schedule_step', 'next_attempt_at', 'number'])
    .where('consumer_id', '=', consumerId)
    .orderBy('number')
    .execute();
