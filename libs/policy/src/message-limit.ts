import type { IssueKind } from '#libs/contracts';

/** The period of a channel's limit, and the earliest time between two of its summaries. */
export const LIMIT_WINDOW_MS = 10 * 60_000;
/** In any such period a channel announces at most this many issues. */
export const MOST_ANNOUNCED = 20;
/** At most this many of them are minor, so that they leave places for severe ones. */
export const MOST_MINOR = 10;

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
 * @param announced kinds of the issues that the channel has announced within `LIMIT_WINDOW_MS`, or tried to announce and
 * tries again
 */
export function withinLimit<T extends { readonly kind: IssueKind }>(
  due: readonly T[],
  announced: readonly IssueKind[],
): ReadonlySet<T> {
  let room = MOST_ANNOUNCED - announced.length;
  let minorRoom = MOST_MINOR - announced.filter((kind) => !isSevere(kind)).length;
  const permitted = new Set<T>();
  for (const opening of due.toSorted((one, other) => rank(one) - rank(other))) {
    const isMinor = !isSevere(opening.kind);
    if (room <= 0 || (isMinor && minorRoom <= 0)) continue;
    permitted.add(opening);
    room -= 1;
    if (isMinor) minorRoom -= 1;
  }
  return permitted;
}

const rank = ({ kind }: { readonly kind: IssueKind }): number => (isSevere(kind) ? 0 : 1);
