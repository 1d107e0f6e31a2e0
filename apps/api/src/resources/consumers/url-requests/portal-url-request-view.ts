import type { UrlRequestRow } from '#libs/database';
import type { PortalUrlRequestDto } from './portal-url-request.dto.js';

/** A requested change of the URL as its own consumer sees it: without the operator who decided. */
export const portalUrlRequestView = (row: UrlRequestRow): PortalUrlRequestDto => ({
  id: row.id,
  url: row.url,
  state: row.state,
  reason: row.reason,
  madeBy: row.made_by,
  madeAt: row.made_at.toISOString(),
  decidedAt: row.decided_at?.toISOString() ?? null,
  rejectionReason: row.state === 'rejected' ? row.decision_reason : null,
});
