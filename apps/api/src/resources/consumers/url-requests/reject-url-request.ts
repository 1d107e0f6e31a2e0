import { UrlRequestsRepository } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';
import { requireDecidedNow } from './url-request-outcome.js';

/** Rejects a requested change of a consumer's URL; the consumer's people see the reason. */
@Injectable()
export class RejectUrlRequest {
  constructor(private readonly requests: UrlRequestsRepository) {}

  /** @throws NotFoundException; ConflictException when it was decided or withdrawn */
  async execute(id: string, reason: string, actor: Actor): Promise<void> {
    const ended = await this.requests.end({ id }, 'rejected', ({ consumer_id: consumerId, url }) =>
      auditEntry(actor, {
        action: 'url-request.rejected',
        target: `consumer:${consumerId}`,
        reason,
        details: { urlRequestId: id, url },
      }),
    );
    requireDecidedNow(ended);
  }
}
