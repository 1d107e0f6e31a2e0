import type { IssueKind } from '#libs/contracts';
import { consumerHealth } from '../consumer-health.js';
import { changesOf, issuesOf, type OngoingIssue } from '../issues.js';
import type { SimulatedConsumer } from './simulated-consumer.js';

const HOUR = 60 * 60_000;
/** How often a worker evaluates the issues. */
const EVERY = 15_000;

export interface OpenedIssue {
  readonly kind: IssueKind;
  readonly at: number;
}

/** Every issue that is opened for a consumer until a time. A person replays dead deliveries within an hour. */
export function issuesUntil(end: number, consumer: SimulatedConsumer): OpenedIssue[] {
  const all: OpenedIssue[] = [];
  let ongoing: OngoingIssue[] = [];
  for (let at = EVERY; at <= end; at += EVERY) {
    // Certificates are looked at in quiet hours, too.
    if (at % HOUR === 0) consumer.settle();
    else if (ongoing.every(({ kind }) => kind === 'certificate_expiring') && consumer.isQuiet(at)) continue;
    consumer.run(at - EVERY, at);
    const now = new Date(at);
    const health = consumerHealth(consumer.facts(at), now);
    const { opened, seen, ended } = changesOf(
      ongoing,
      issuesOf('c', health, now),
      new Map([['c', health]]),
      now,
    );
    all.push(...opened.map(({ kind }) => ({ kind, at })));
    ongoing = [
      ...ongoing
        .filter(({ id }) => !ended.includes(id))
        .map((issue) => (seen.includes(issue.id) ? { ...issue, lastSeenAt: now } : issue)),
      ...opened.map((issue) => ({ ...issue, id: `${issue.kind} ${at}`, lastSeenAt: now, isResolved: false })),
    ];
  }
  return all;
}
