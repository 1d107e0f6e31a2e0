import type { IssueKind } from '#libs/contracts';
import { CONDITIONS, named, type Announcement, type Origin, type Part } from './issue-message.js';

/** Issues above a channel's limit, announced together. It has no text of a consumer. */
export interface IssueSummary {
  readonly channelId: string;
  /** How many issues of each kind, at least one. */
  readonly counts: ReadonlyMap<IssueKind, number>;
  /** How many of them are not resolved. */
  readonly unresolved: number;
  /** When the first of them was opened. */
  readonly since: Date;
}

export const totalOf = ({ counts }: IssueSummary): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** `And 40 more issues: dead deliveries, not settled (38); down (2)`, with the installation's name and the list of issues. */
export function announcedSummary(
  summary: IssueSummary,
  origin: Origin,
): Announcement & { readonly parts: readonly [Part] } {
  const total = totalOf(summary);
  const counts = [...summary.counts].map(([kind, count]) => `${CONDITIONS[kind]} (${String(count)})`);
  const title = `And ${String(total)} more ${total === 1 ? 'issue' : 'issues'}: ${counts.join('; ')}`;
  const lines = [
    `Opened since ${summary.since.toISOString()}, above this channel’s limit, and not announced one by one.`,
    `Not resolved yet: ${String(summary.unresolved)}`,
  ];
  const { publicUrl } = origin;
  const link = publicUrl === null ? null : `${publicUrl}/issues`;
  return { title: named(origin, title), parts: [{ title: named(origin, title), lines, link }] };
}
