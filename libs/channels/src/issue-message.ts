import type { IssueEvent, IssueKind } from '#libs/contracts';

/** What a channel announces: an issue, and what has happened to it. It has no payment, account number or secret. */
export interface IssueMessage {
  readonly event: IssueEvent;
  readonly issueId: string;
  readonly kind: IssueKind;
  /** Null: an issue of the whole installation. */
  readonly consumerId: string | null;
  readonly consumerName: string | null;
  readonly contact: string | null;
  readonly summary: string;
  readonly advice: string;
  readonly openedAt: Date;
  readonly acknowledgedBy: string | null;
  readonly note: string | null;
  readonly resolvedAt: Date | null;
  /** Null: not resolved, or resolved automatically. */
  readonly resolvedBy: string | null;
}

/** The installation that the messages come from. */
export interface Origin {
  /** The console's public address, without a slash at its end; null: messages have no links. */
  readonly publicUrl: string | null;
  /** Such as `production`. */
  readonly environment: string | null;
}

/** The kinds in words. */
export const CONDITIONS: Readonly<Record<IssueKind, string>> = {
  credentials_broken: 'credentials broken',
  down: 'down',
  paused_unplanned: 'paused without a plan',
  degraded: 'degraded',
  falling_behind: 'falling behind',
  dead_not_settled: 'dead deliveries, not settled',
  certificate_expiring: 'a certificate expires',
  api_key_expiring: 'an API key expires',
};

/** `Opened: Falcon Air Cargo, down`. */
export const titleOf = ({ event, kind, consumerName }: IssueMessage): string =>
  `${EVENTS[event]}: ${consumerName === null ? CONDITIONS[kind] : `${consumerName}, ${CONDITIONS[kind]}`}`;

const EVENTS: Readonly<Record<IssueEvent, string>> = {
  opened: 'Opened',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
};

/** The lines under the title. */
export function linesOf(message: IssueMessage): string[] {
  const { event, summary, advice, contact, openedAt, acknowledgedBy, note, resolvedAt, resolvedBy } = message;
  switch (event) {
    case 'opened':
      return [
        summary,
        advice,
        ...(contact === null ? [] : [`Contact: ${contact}`]),
        `Since ${openedAt.toISOString()}`,
      ];
    case 'acknowledged':
      return [`By ${acknowledgedBy ?? 'a person'}${note === null ? '' : `: ${note}`}`];
    case 'resolved':
      return [
        `${resolvedBy === null ? 'Automatically' : `By ${resolvedBy}`}${resolvedAt === null ? '' : ` at ${resolvedAt.toISOString()}`}`,
        `Opened at ${openedAt.toISOString()}`,
      ];
  }
}

/** The address of the issue in the console; null without a public URL. */
export const linkOf = ({ issueId }: IssueMessage, { publicUrl }: Origin): string | null =>
  publicUrl === null ? null : `${publicUrl}/issues/${issueId}`;

/** What the readers of Slack, Teams and mail see. */
export interface Announcement {
  readonly title: string;
  readonly parts: readonly Part[];
}

export interface Part {
  readonly title: string;
  readonly lines: readonly string[];
  readonly link: string | null;
}

/** Several messages together; the title is that of the only one, or counts them. */
export const announced = (messages: readonly IssueMessage[], origin: Origin): Announcement => ({
  title: named(origin, headline(messages)),
  parts: messages.map((message) => ({
    title: titleOf(message),
    lines: linesOf(message),
    link: linkOf(message, origin),
  })),
});

/** A title with the installation's name. */
export const named = ({ environment }: Origin, title: string): string =>
  environment === null ? title : `[${environment}] ${title}`;

function headline(messages: readonly IssueMessage[]): string {
  const [first, ...others] = messages;
  if (first === undefined) return 'No issues';
  if (others.length === 0) return titleOf(first);
  const parts = [...Map.groupBy(messages, ({ event }) => event)].map(
    ([event, of]) => `${String(of.length)} ${event}`,
  );
  return `${String(messages.length)} messages about issues: ${parts.join(', ')}`;
}
