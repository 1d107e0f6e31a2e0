import { UrlRequestsRepository } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';
import { consumerChangedEntry } from '../change-consumer.js';
import { requireDecidedNow } from './url-request-outcome.js';

/**
 * Changes a consumer's URL as its people requested. The audit log gets two entries in the transaction: the approval, and
 * the change of the consumer like every other one.
 */
@Injectable()
export class ApproveUrlRequest {
  constructor(private readonly requests: UrlRequestsRepository) {}

  /** @throws NotFoundException; ConflictException when it was decided or withdrawn, or the URL has changed since */
  async execute(id: string, reason: string | undefined, actor: Actor): Promise<void> {
    const approved = await this.requests.approve(id, {
      consumer: (before, after) => consumerChangedEntry(actor, ['url'], before, after),
      request: ({ consumer_id: consumerId, url, url_before: urlBefore, made_by: madeBy }) =>
        auditEntry(actor, {
          action: 'url-request.approved',
          target: `consumer:${consumerId}`,
          reason,
          details: { urlRequestId: id, url, urlBefore, madeBy },
        }),
    });
    requireDecidedNow(approved);
  }
}
