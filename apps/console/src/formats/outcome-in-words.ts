import type { Schema } from '../api';

type Outcome = Schema<'AttemptDto'>['outcome'];

/** Every outcome of one POST, without protocol terms where there are plain ones. */
export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  acknowledged: 'Acknowledged',
  http_status: 'Error response',
  redirect: 'Redirect, not followed',
  timeout: 'No answer in time',
  dns: 'Host name not found',
  connect: 'Could not connect',
  tls: 'Certificate or TLS problem',
  reset: 'Connection lost',
  blocked_address: 'Address not allowed',
  invalid_response: 'Invalid HTTP answer',
};

/** The outcome of an attempt, with the HTTP status where there was one: `Error response (HTTP 500)`. */
export const outcomeInWords = (outcome: Outcome | null, httpStatus: number | null): string =>
  outcome === null
    ? 'No attempt yet'
    : `${OUTCOMES[outcome]}${httpStatus === null ? '' : ` (HTTP ${String(httpStatus)})`}`;
