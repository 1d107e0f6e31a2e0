import type { IssueKind } from '#libs/contracts';

/** The period of a channel's limit, and the earliest time between two of its summaries. */
export const LIMIT_WINDOW_MS = 10 * 60_000;
/** In any such period a channel announces at most this many issues. */
export const MOST_ANNOUNCED = 20;
/** At most this many of them are minor, so that they leave places for severe ones. */
export const MOST_MINOR = 10;
/** And at most this many issues of one kind and consumer, so that one that comes and goes displaces no others. */
export const MOST_OF_ONE = 2;

/** The opening of an issue; `consumer_id` is null for an issue of the installation. */
export interface Opening {
  readonly kind: IssueKind;
  readonly consumer_id: string | null;
}

/** Whether an issue of this kind means that nothing reaches the consumer. */
export function isSevere(kind: IssueKind): boolean {
  switch (kind) {
    case 'credentials_broken':
    case 'down':
    case 'paused_unplanned':
      return true;
    case 'degraded':
    case 'falling_behind':
    case 'dead_not_settled':
    case 'certificate_expiring':
    case 'api_key_expiring':
      return false;
  }
}

/**
 * Which openings of issues a channel's limit permits; the severe ones first, then in their order.
 * @param due openings that are due and were not tried before, in their order
 * @param announced the issues that the channel has announced within `LIMIT_WINDOW_MS`, or tried to announce and
 * tries again
 */
export function withinLimit<T extends Opening>(
  due: readonly T[],
  announced: readonly Opening[],
): ReadonlySet<T> {
  const taken = [...announced];
  const permitted = new Set<T>();
  for (const opening of due.toSorted((one, other) => rank(one) - rank(other))) {
    if (!hasRoom(opening, taken)) continue;
    permitted.add(opening);
    taken.push(opening);
  }
  return permitted;
}

function hasRoom({ kind, consumer_id }: Opening, taken: readonly Opening[]): boolean {
  const ofOne = taken.filter((one) => one.kind === kind && one.consumer_id === consumer_id);
  if (consumer_id !== null && ofOne.length >= MOST_OF_ONE) return false;
  const minor = taken.filter((one) => !isSevere(one.kind));
  return taken.length < MOST_ANNOUNCED && (isSevere(kind) || minor.length < MOST_MINOR);
}

const rank = ({ kind }: Opening): number => (isSevere(kind) ? 0 : 1);
