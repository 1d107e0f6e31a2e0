import type { IssueKind } from '#libs/contracts';
import type { ConsumerHealth } from './consumer-health.js';
import { DEGRADED_FAILURES } from './health-facts.js';

/** A condition that needs a person, as it is now. */
export interface FoundIssue {
  /** Null: of the whole installation. */
  readonly consumerId: string | null;
  readonly kind: IssueKind;
  /** Distinguishes several issues of one kind: the certificate or the key. Otherwise empty. */
  readonly subject: string;
  readonly summary: string;
  readonly advice: string;
}

/** An issue whose condition has not ended. */
export interface OngoingIssue extends Pick<FoundIssue, 'consumerId' | 'kind' | 'subject'> {
  readonly id: string;
  readonly lastSeenAt: Date;
  /** Whether a person has resolved it although its condition lasts. */
  readonly isResolved: boolean;
}

/** The part of a consumer's present health that decides whether its issues last. */
export type HealthNow = Pick<ConsumerHealth, 'state' | 'failures'>;

/** What an evaluation changes. */
export interface IssueChanges {
  readonly opened: readonly FoundIssue[];
  /** Ids of issues whose condition lasts and was last noted a while ago. */
  readonly seen: readonly string[];
  /** Ids of issues whose condition has ended. */
  readonly ended: readonly string[];
}

/**
 * Failed probes from which a consumer that is down needs a person: with many deliveries about five minutes after the first
 * failed attempt, so a deploy or a burst of errors is over. Between few deliveries the time without an attempt proves nothing.
 */
const DOWN_AFTER_PROBES = 3;
/** Deliveries that are late for a shorter time can still be delivered by a retry. */
const DEGRADED_AFTER_MS = 10 * 60_000;
/** Kinds that come and go end only after this time without their condition, so that each is announced once. */
const QUIET_MS = 10 * 60_000;
/** How often an ongoing condition is noted. */
const NOTE_EVERY_MS = 60_000;
/** A key that expires within this time is announced. */
export const KEY_EXPIRES_WITHIN_MS = 14 * 86_400_000;

/** The issues of a consumer, by its health. */
export function issuesOf(consumerId: string, health: ConsumerHealth, now: Date): FoundIssue[] {
  const { dead, notices, summary, advice } = health;
  const kind = kindOf(health, now);
  const ofState = kind === null ? [] : [{ consumerId, kind, subject: '', summary, advice }];
  const ofDead: FoundIssue[] =
    dead.count === 0
      ? []
      : [
          {
            consumerId,
            kind: 'dead_not_settled',
            subject: '',
            summary: 'Deliveries are dead and not settled.',
            advice: 'Replay them, or settle them if they were handled otherwise.',
          },
        ];
  const ofCertificates = notices.map((notice): FoundIssue => ({
    consumerId,
    kind: 'certificate_expiring',
    // A server may present another certificate each time; those that the bank holds are told apart by their end.
    subject: notice.use === 'server' ? notice.use : `${notice.use} ${notice.at.toISOString()}`,
    summary: notice.words,
    advice: notice.advice,
  }));
  return [...ofState, ...ofDead, ...new Map(ofCertificates.map((issue) => [issue.subject, issue])).values()];
}

/** The kind that belongs to the consumer's state; null for a state that needs no person, or not yet. */
function kindOf(health: ConsumerHealth, now: Date): IssueKind | null {
  const { state, since, planned, failures, failedProbes, trend } = health;
  switch (state) {
    case 'credentials_broken':
      return state;
    case 'falling_behind':
      // A backlog that shrinks needs only time; one that grows while attempts fail is part of an outage.
      return trend === 'draining' || failures >= DEGRADED_FAILURES ? null : state;
    case 'down':
      return failedProbes >= DOWN_AFTER_PROBES ? state : null;
    case 'degraded':
      return since !== null && now.getTime() - since.getTime() >= DEGRADED_AFTER_MS ? state : null;
    case 'paused':
      return planned ? null : 'paused_unplanned';
    case 'healthy':
      return null;
  }
}

/** The issue of one of the bank's own API keys that is in use and expires soon. A consumer's keys are shown in its portal. */
export const issueOfKey = (key: {
  readonly id: string;
  readonly name: string;
  readonly expiresAt: Date;
}): FoundIssue => ({
  consumerId: null,
  kind: 'api_key_expiring',
  subject: key.id,
  summary: `The API key “${key.name}” is in use and expires on ${key.expiresAt.toISOString().slice(0, 10)}.`,
  advice:
    'Create a new key of the same name, give it to its holder, and revoke the old one after the change.',
});

/**
 * Compares the ongoing issues with what was found. A consumer has at most one unresolved issue of a kind: another one is
 * opened when the first is resolved, if its condition lasts.
 * @param healths the health of every consumer that is not removed
 */
export function changesOf(
  ongoing: readonly OngoingIssue[],
  found: readonly FoundIssue[],
  healths: ReadonlyMap<string, HealthNow>,
  now: Date,
): IssueChanges {
  const foundKeys = new Set(found.map(keyOf));
  const lasts = (issue: OngoingIssue): boolean =>
    foundKeys.has(keyOf(issue)) || isBack(issue.kind, mayReturn(issue, healths));
  const isOngoing = new Set(ongoing.map(keyOf));
  const ended = ongoing.filter(
    (issue) => !lasts(issue) && (mayReturn(issue, healths) === null || ageOf(issue, now) >= QUIET_MS),
  );
  const taken = new Set(ongoing.filter((issue) => !issue.isResolved && !ended.includes(issue)).map(placeOf));
  const opened: FoundIssue[] = [];
  for (const issue of found) {
    if (isOngoing.has(keyOf(issue)) || (issue.consumerId !== null && taken.has(placeOf(issue)))) continue;
    taken.add(placeOf(issue));
    opened.push(issue);
  }
  return {
    opened,
    seen: ongoing.filter((issue) => lasts(issue) && ageOf(issue, now) >= NOTE_EVERY_MS).map(({ id }) => id),
    ended: ended.map(({ id }) => id),
  };
}

/** The health by which the condition of an issue may return; null if it has ended for good when it is not found. */
function mayReturn(
  { kind, consumerId }: OngoingIssue,
  healths: ReadonlyMap<string, HealthNow>,
): HealthNow | null {
  const health = consumerId === null ? undefined : healths.get(consumerId);
  // A pause, broken credentials, or a removed consumer leave nothing to wait for.
  if (health === undefined || health.state === 'paused' || health.state === 'credentials_broken') return null;
  return kind === 'down' || kind === 'degraded' || kind === 'falling_behind' ? health : null;
}

/** Whether a condition that comes and goes is back, if not for long enough to open an issue. */
function isBack(kind: IssueKind, health: HealthNow | null): boolean {
  if (health === null) return false;
  const { state, failures } = health;
  if (kind === 'falling_behind') return state === kind;
  // After a success in the middle of an outage, attempts fail for minutes before a delivery is late.
  return state === 'down' || state === 'degraded' || failures >= DEGRADED_FAILURES;
}

const ageOf = ({ lastSeenAt }: OngoingIssue, now: Date): number => now.getTime() - lastSeenAt.getTime();

const keyOf = ({ consumerId, kind, subject }: Pick<FoundIssue, 'consumerId' | 'kind' | 'subject'>): string =>
  JSON.stringify([consumerId, kind, subject]);

/** Where a consumer has at most one unresolved issue. */
const placeOf = ({ consumerId, kind }: Pick<FoundIssue, 'consumerId' | 'kind'>): string =>
  JSON.stringify([consumerId, kind]);
