import type { AttemptRow, DeliveryRow } from '#libs/database';
import { adviceForConsumer, holdForConsumer } from '#libs/policy';
import type { PortalAttemptDto, PortalDeliveryDto } from './portal-delivery.dto.js';

/** A delivery as its own consumer sees it. Fields are named one by one, so that a new column is not shown by accident. */
export const portalDeliveryView = (row: DeliveryRow): PortalDeliveryDto => ({
  deliveryId: row.id,
  notificationId: row.event_id,
  eventType: row.event_type,
  paymentId: row.payment_id,
  status: row.status,
  state: row.state,
  holdReason: row.hold_reason,
  holdInWords: row.hold_reason === null ? null : holdForConsumer(row.hold_reason),
  heldSince: row.held_since?.toISOString() ?? null,
  attemptCount: row.attempts,
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  lastOutcome: row.last_outcome,
  lastHttpStatus: row.last_http_status,
  createdAt: row.created_at.toISOString(),
  firstAttemptAt: row.first_attempt_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
  endReason: row.end_reason,
  settledAt: row.settled_at?.toISOString() ?? null,
});

/** An attempt as its own consumer sees it: with the whole answer, which is its own, and without the bank's detail. */
export function portalAttemptView(row: AttemptRow): PortalAttemptDto {
  const { outcome, http_status: httpStatus, detail } = row;
  const clockSkewMs = row.clock_skew_ms === null ? null : Number(row.clock_skew_ms);
  return {
    number: row.number,
    startedAt: row.started_at.toISOString(),
    durationMs: row.duration_ms,
    outcome,
    httpStatus,
    advice: adviceForConsumer({ outcome, httpStatus, detail, clockSkewMs }),
    url: row.url,
    credentialVersion: row.credential_version,
    requestHeaders: row.request_headers,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
    responseTruncated: row.response_truncated,
    clockSkewMs,
    probe: row.probe,
  };
}
