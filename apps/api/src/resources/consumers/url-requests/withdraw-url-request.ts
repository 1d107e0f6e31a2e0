import { UrlRequestsRepository } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';
import { requireDecidedNow } from './url-request-outcome.js';

/** Withdraws a consumer's own waiting request. */
@Injectable()
export class WithdrawUrlRequest {
  constructor(private readonly requests: UrlRequestsRepository) {}

  /** @throws NotFoundException, also for another consumer's; ConflictException when it was decided */
  async execute(consumerId: string, id: string, actor: Actor): Promise<void> {
    const ended = await this.requests.end({ id, consumerId }, 'withdrawn', ({ url }) =>
      auditEntry(actor, {
        action: 'url-request.withdrawn',
        target: `consumer:${consumerId}`,
        details: { urlRequestId: id, url },
      }),
    );
    requireDecidedNow(ended);
  }
}
