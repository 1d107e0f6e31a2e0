import type { IssueKind } from '#libs/contracts';
import { severityOf } from './severity.js';

/** The period of a channel's limit, and the earliest time between two of its summaries. */
export const LIMIT_WINDOW_MS = 10 * 60_000;
/** In any such period a channel announces at most this many issues. */
export const MOST_ANNOUNCED = 20;
/** At most this many of them are not pages, so that they leave places for pages. */
export const MOST_MINOR = 10;
/** And at most this many issues of one kind and consumer, so that one that comes and goes displaces no others. */
export const MOST_OF_ONE = 2;

/** The opening of an issue; `consumer_id` is null for an issue of the installation. */
export interface Opening {
  readonly kind: IssueKind;
  readonly consumer_id: string | null;
}

const isPage = (kind: IssueKind): boolean => severityOf(kind) === 'page';

/**
 * Which openings of issues a channel's limit permits; the pages first, then in their order.
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
  const minor = taken.filter((one) => !isPage(one.kind));
  return taken.length < MOST_ANNOUNCED && (isPage(kind) || minor.length < MOST_MINOR);
}

const rank = ({ kind }: Opening): number => (isPage(kind) ? 0 : 1);
