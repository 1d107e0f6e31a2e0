import type { Schema } from '../../api';

export type Channel = Schema<'ChannelDto'>;

/** The days of a week; the first is day 1. */
export const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** `Mon, Tue, 08:00 to 18:00 (Europe/Berlin)`; null: at any hour. */
export function hoursInWords(hours: Channel['hours']): string {
  if (hours === null) return 'At any hour';
  const days =
    hours.days.length === DAYS.length
      ? 'Daily'
      : DAYS.filter((_, day) => hours.days.includes(day + 1)).join(', ');
  return `${days}, ${hours.from} to ${hours.to} (${hours.timeZone})`;
}

/** A channel with as many severities announces every issue. */
const ALL_SEVERITIES = 3;

type IssueKind = NonNullable<Channel['issueKinds']>[number];

/**
 * What a channel receives, by its filter.
 * @param labelOf the label of a kind of issue
 * @param nameOf the name of a consumer
 */
export function filterInWords(
  { issueKinds, severities, consumerIds }: Pick<Channel, 'issueKinds' | 'severities' | 'consumerIds'>,
  labelOf: (kind: IssueKind) => string,
  nameOf: (id: string) => string,
): string {
  const kinds = issueKinds === null ? 'All issues' : issueKinds.map(labelOf).join(', ');
  const only = severities.length === ALL_SEVERITIES ? '' : ` of severity ${severities.join(' or ')}`;
  return `${kinds}${only}${consumerIds === null ? '' : `, of ${consumerIds.map(nameOf).join(', ')}`}`;
}
