import type { CertificateUse, HealthState, Outcome, Side } from '#libs/contracts';
import { adviceFor, outcomeInWords, sideOfAttempt } from './advice.js';
import type { BacklogTrend } from './backlog.js';
import { certificateState } from './certificate-state.js';
import {
  DEGRADED_FAILURES,
  type CertificateInForce,
  type FailureCause,
  type HealthFacts,
} from './health-facts.js';

/** The most frequent cause and its count. */
export interface MainCause {
  /** For example "The last 320 attempts were answered HTTP 401". */
  readonly words: string;
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly count: number;
  readonly of: number;
}

/** A warning before a failure: a certificate that expires soon. */
export interface Notice {
  readonly use: CertificateUse;
  readonly words: string;
  readonly advice: string;
  readonly at: Date;
}

/** Derived facts that the sentences depend on. */
interface Found extends BacklogTrend {
  readonly state: HealthState;
  readonly cause: { readonly main: FailureCause } | null;
  readonly planned: boolean;
  readonly now: Date;
}

const NUMBER = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const number = (count: number): string => NUMBER.format(count);
const percent = (share: number): string => `${String(Math.round(share * 1_000) / 10)}%`;

/** The most frequent cause and its share: of the consecutive failures, or of all attempts of the last 15 minutes. */
export function causeOf(
  { causes, attempts }: HealthFacts,
  isStreak: boolean,
): { main: FailureCause; shown: MainCause } | null {
  const [main] = causes;
  if (main === undefined) return null;
  const { outcome, httpStatus, count } = main;
  const failed = causes.reduce((sum, cause) => sum + cause.count, 0);
  const of = isStreak ? failed : Math.max(attempts, failed);
  const words = `${attemptsInWords(count, of, isStreak)} ${failedHow(outcome, httpStatus, count)}`;
  return { main, shown: { words, outcome, httpStatus, count, of } };
}

/** `The last 4 attempts`, `3 of the last 4 attempts`, `3 of 12 attempts`. */
function attemptsInWords(count: number, of: number, isStreak: boolean): string {
  if (!isStreak) return `${number(count)} of ${number(of)} attempts`;
  if (count < of) return `${number(count)} of the last ${number(of)} attempts`;
  return of === 1 ? 'The last attempt' : `The last ${number(of)} attempts`;
}

/** `were answered HTTP 401`, `failed: no answer in time`. */
function failedHow(outcome: Outcome, httpStatus: number | null, count: number): string {
  const words = outcomeInWords(outcome, httpStatus);
  return outcome === 'http_status' || outcome === 'redirect'
    ? `${count === 1 ? 'was' : 'were'} answered ${words}`
    : `failed: ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** The probable place of the fault; null without failures or for an unknown cause. */
export const sideOf = (state: HealthState, cause: FailureCause | null): Side | null =>
  state === 'credentials_broken' ? 'ours' : cause && sideOfAttempt(cause);

/** The consumer's state in one to three sentences, always with its dead deliveries. */
export function summaryInWords(facts: HealthFacts, found: Found): string {
  const { count } = facts.dead;
  const dead = `${count === 1 ? '1 dead delivery has' : `${number(count)} dead deliveries have`} to be replayed or settled.`;
  return [stateInWords(facts, found), ...(count > 0 ? [dead] : [])].join(' ');
}

function stateInWords(facts: HealthFacts, { state, now, ...backlog }: Found): string {
  const { failures, attempts, failedAttempts, secretFault, paused, oldestDueAt } = facts;
  const span = (since: Date | null): string => spanInWords(now.getTime() - (since ?? now).getTime());
  switch (state) {
    case 'credentials_broken':
      return `Nothing is sent: the credentials cannot be decrypted (${secretFault?.words ?? 'unknown'}).`;
    case 'down':
      return `${failures === 0 ? '' : `The last ${failures === 1 ? 'attempt' : `${number(failures)} attempts`} failed. `}Deliveries are held, and one of them is tried every 30 s to 15 min.`;
    case 'degraded':
      return [
        failures >= DEGRADED_FAILURES
          ? `The last ${number(failures)} attempts failed.`
          : `${number(failedAttempts)} of ${number(attempts)} attempts failed in the last 15 min (${percent(failedAttempts / attempts)}).`,
        ...(facts.oldestFailedAt === null
          ? []
          : [`A delivery has failed for ${span(facts.oldestFailedAt)}.`]),
      ].join(' ');
    case 'falling_behind':
      return `The oldest delivery is overdue by ${span(oldestDueAt)}, and the backlog ${trendInWords(facts, backlog)}.`;
    case 'paused':
      return pauseInWords(paused, now);
    case 'healthy':
      if (facts.waiting > 0 && oldestDueAt !== null && backlog.trend === 'draining')
        return `Catching up: ${number(facts.waiting)} waiting, the backlog ${trendInWords(facts, backlog)}.`;
      if (failedAttempts > 0)
        return `${number(failedAttempts)} of ${number(attempts)} attempts failed in the last 15 min.`;
      return attempts > 0 ? 'No attempt failed in the last 15 min.' : 'Nothing was sent in the last 15 min.';
  }
}

function pauseInWords(paused: HealthFacts['paused'], now: Date): string {
  if (paused === null) return 'Paused.';
  if (paused.byAnswer) return 'The consumer answered 410 Gone, so it is paused. Its deliveries are held.';
  const days = Math.floor((now.getTime() - paused.since.getTime()) / 86_400_000);
  const reason = paused.reason === null ? '' : `: ${paused.reason.replace(/\.$/, '')}`;
  return days < 30 ? `Paused${reason}.` : `Paused for ${String(days)} days${reason}.`;
}

function trendInWords(
  { inPerMinute, outPerMinute }: HealthFacts,
  { trend, drainsInSeconds }: BacklogTrend,
): string {
  switch (trend) {
    case 'growing':
      return `grows by ${number(Math.max(1, inPerMinute - outPerMinute))} a minute`;
    case 'draining':
      return `will be empty in about ${spanInWords((drainsInSeconds ?? 0) * 1_000)}`;
    case 'steady':
    case 'empty':
      return 'does not get smaller';
  }
}

/** The operator's next step. It never promises a retry of dead deliveries. */
export function adviceInWords(facts: HealthFacts, { state, cause, planned }: Found): string {
  const dead = facts.dead.count > 0;
  switch (state) {
    case 'credentials_broken':
      return 'Put the missing key back into SECRETS_KEYRING on every worker, or add new credentials. Nothing is lost meanwhile.';
    case 'down':
      return `${cause === null ? 'Call the contact.' : adviceFor(cause.main)} Held deliveries are sent after the first success.${dead ? ' Then replay the dead deliveries.' : ''}`;
    case 'degraded':
      return `${cause === null ? 'See the failures below.' : adviceFor(cause.main)}${dead ? ' Then replay the dead deliveries.' : ''}`;
    case 'falling_behind':
      return 'Compare its response time with its limits. If it can take more, raise maxConcurrency or maxPerSecond; otherwise call the contact.';
    case 'paused':
      if (facts.paused?.byAnswer === true)
        return 'Ask the contact for the new URL, change it, send a test and resume; or remove the consumer.';
      return planned
        ? 'Resume it when the reason is gone. Held deliveries are then sent in order.'
        : 'Resume it, or remove it if it is no longer in use.';
    case 'healthy':
      return dead
        ? 'Replay the dead deliveries, or settle them if they were handled otherwise.'
        : 'Nothing to do.';
  }
}

const CERTIFICATES: Readonly<Record<CertificateUse, { readonly what: string; readonly advice: string }>> = {
  client: {
    what: 'Our client certificate',
    advice: 'Add credentials with a new client certificate, and inform the contact.',
  },
  authority: {
    what: 'A certificate of its private authority',
    advice: 'Ask the contact for the new one, and add it to caCertificate next to the old one.',
  },
  server: { what: 'Its server certificate', advice: 'Inform the contact: the consumer has to renew it.' },
};

/** Certificates that expire within 30 days or have expired, the earliest first. */
export const certificateNotices = (certificates: readonly CertificateInForce[], now: Date): Notice[] =>
  certificates
    .filter(({ notAfter }) => certificateState(notAfter, now) !== 'valid')
    .toSorted((one, other) => one.notAfter.getTime() - other.notAfter.getTime())
    .map(({ use, notAfter }) => {
      const { what, advice } = CERTIFICATES[use];
      const apart = spanInWords(Math.abs(notAfter.getTime() - now.getTime()));
      const words =
        certificateState(notAfter, now) === 'expired'
          ? `${what} expired ${apart} ago.`
          : `${what} expires in ${apart}.`;
      return { use, words, advice, at: notAfter };
    });

/** A duration in the largest unit with a value of at least two. */
function spanInWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 120) return `${String(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${String(minutes)} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${String(hours)} h` : `${String(Math.floor(hours / 24))} days`;
}
