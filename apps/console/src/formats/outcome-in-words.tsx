import type { Schema } from '../api';

export type Outcome = Schema<'AttemptDto'>['outcome'];

/** What each outcome of one POST means, without the words of protocols where there are others. */
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

/** What an attempt came to, with the HTTP status where there was one. */
export function OutcomeInWords(props: { outcome: Outcome | null; httpStatus: number | null }) {
  const { outcome, httpStatus } = props;
  if (outcome === null) return <span>No attempt yet</span>;
  return (
    <span>
      {OUTCOMES[outcome]}
      {httpStatus !== null && ` (HTTP ${String(httpStatus)})`}
    </span>
  );
}
