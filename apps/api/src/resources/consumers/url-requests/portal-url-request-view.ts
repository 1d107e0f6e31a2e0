import type { UrlRequestRow } from '#libs/database';
import { viewOf } from '../../../http/view-of.js';
import { PortalUrlRequestDto } from './portal-url-request.dto.js';

/** A requested change of the URL as its own consumer sees it: without the operator who decided. */
export const portalUrlRequestView = (row: UrlRequestRow): PortalUrlRequestDto =>
  viewOf(PortalUrlRequestDto, row, {
    rejectionReason: row.state === 'rejected' ? row.decision_reason : null,
  });
