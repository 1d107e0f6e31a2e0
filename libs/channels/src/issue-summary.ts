import type { IssueKind } from '#libs/contracts';
import { CONDITIONS, type Origin } from './issue-message.js';

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

/** `And 40 more issues: dead deliveries, not settled (38); down (2)`, with the installation's name. */
export function summaryTitle(summary: IssueSummary, { environment }: Origin): string {
  const total = totalOf(summary);
  const parts = [...summary.counts].map(([kind, count]) => `${CONDITIONS[kind]} (${String(count)})`);
  const name = environment === null ? '' : `[${environment}] `;
  return `${name}And ${String(total)} more ${total === 1 ? 'issue' : 'issues'}: ${parts.join('; ')}`;
}

/** The lines under the title. */
export const summaryLines = ({ since, unresolved }: IssueSummary): string[] => [
  `Opened since ${since.toISOString()}, above this channel’s limit, and not announced one by one.`,
  `Not resolved yet: ${String(unresolved)}`,
];

/** The address of the list of issues; null without a public URL. */
export const listLink = ({ publicUrl }: Origin): string | null =>
  publicUrl === null ? null : `${publicUrl}/issues`;
