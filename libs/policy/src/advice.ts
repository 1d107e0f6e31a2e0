import type { Outcome, Side } from '#libs/contracts';
import {
  adviceOfStatus,
  BY_CLIENT_FAULT,
  BY_OUTCOME,
  BY_SERVER_FAULT,
  sideOfStatus,
} from './failure-causes.js';

/** The known facts about an attempt's outcome. */
export interface AttemptCause {
  readonly outcome: Outcome;
  /** The answer's status, or null when none came. */
  readonly httpStatus: number | null;
  /** The attempt's outcome in the dispatcher's words. */
  readonly detail: string;
  /** The consumer's clock minus the dispatcher's, when they differ by more than a minute. */
  readonly clockSkewMs: number | null;
  /** The beginning of the consumer's answer, if the reader may see it. */
  readonly answer?: string | null;
}

/** On-call staff, or a consumer's own people, who see their own server and nothing of the bank's. */
type Reader = 'operator' | 'consumer';

/** Advice about an attempt for on-call staff. For a refusal the consumer's own answer comes first. */
export function adviceFor(attempt: AttemptCause): string {
  const { outcome, httpStatus, answer } = attempt;
  const isRefusal = outcome === 'http_status' && httpStatus !== null && httpStatus < 500;
  return (isRefusal ? quotation(answer ?? '') : '') + adviceOf(attempt, 'operator');
}

/** Advice about an attempt for the consumer's people: what their server did, and their first step. */
export const adviceForConsumer = (attempt: AttemptCause): string => adviceOf(attempt, 'consumer');

function adviceOf(attempt: AttemptCause, reader: Reader): string {
  const { outcome, httpStatus, detail, clockSkewMs, answer } = attempt;
  const clock = clockSkewMs === null || outcome === 'acknowledged' ? '' : clockInWords(clockSkewMs, reader);
  const isOperator = reader === 'operator';
  if (outcome === 'http_status' || outcome === 'redirect') {
    const status = String(httpStatus ?? (outcome === 'redirect' ? '3xx' : 'An unknown status'));
    const [operator, consumer] = adviceOfStatus(outcome, httpStatus, quotation(answer ?? ''));
    return `${clock}${isOperator ? `${status}: ${operator}` : `Your server answered ${status.toLowerCase()}: ${consumer}`}`;
  }
  const [, , ...general] = BY_OUTCOME[outcome];
  const [operator, consumer] = BY_SERVER_FAULT.get(detail) ?? BY_CLIENT_FAULT.get(detail) ?? general;
  return clock + (isOperator ? operator : consumer);
}

/** The probable place of the fault; null for an acknowledgement. */
export function sideOfAttempt({ outcome, httpStatus, detail }: AttemptCause): Side | null {
  if (outcome === 'http_status') return sideOfStatus(httpStatus);
  if (outcome === 'redirect') return 'theirs';
  return BY_CLIENT_FAULT.has(detail) ? 'ours' : BY_OUTCOME[outcome][1];
}

/** `HTTP 401`, or `No answer in time`. */
export const outcomeInWords = (outcome: Outcome, httpStatus: number | null): string =>
  outcome === 'http_status' || outcome === 'redirect'
    ? `HTTP ${String(httpStatus ?? '?')}`
    : BY_OUTCOME[outcome][0];

/** Maximum number of characters quoted from the consumer's answer; HTML is not quoted. */
const LONGEST_WORDS = 120;

function quotation(answer: string): string {
  const words = answer.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  if (words === '' || words.startsWith('<')) return '';
  const shown = Array.from(words).slice(0, LONGEST_WORDS).join('');
  return `The consumer answered “${shown}${shown === words ? '' : '…'}”. `;
}

/** A consumer refuses a timestamp that differs from its clock by more (specification, "Errors", 1). */
const TOLERANCE_MS = 300_000;

const CLOCKS = {
  operator: {
    theirs: 'The consumer’s clock is',
    ours: 'ours',
    far: ': it refuses every timestamp until the clock is set (NTP); begin there. ',
    near: ': have it set (NTP), since timestamps more than 300 s away are refused. ',
  },
  consumer: {
    theirs: 'The clock of your server is',
    ours: 'the bank’s',
    far: ', so that it refuses every timestamp. Set the clock (NTP) first. ',
    near: '. Set it (NTP), since timestamps more than 300 s away are refused. ',
  },
} as const;

function clockInWords(clockSkewMs: number, reader: Reader): string {
  const { theirs, ours, far, near } = CLOCKS[reader];
  const seconds = Math.round(Math.abs(clockSkewMs) / 1_000);
  const apart = `${theirs} ${String(seconds)} s ${clockSkewMs < 0 ? 'behind' : 'ahead of'} ${ours}`;
  return apart + (Math.abs(clockSkewMs) > TOLERANCE_MS ? far : near);
}
