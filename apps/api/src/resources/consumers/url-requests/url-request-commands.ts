import { CONFIG, type Config } from '#libs/config';
import type { FieldFault } from '#libs/contracts';
import { UrlRequestsRepository, type UrlRequestDecided, type UrlRequestRow } from '#libs/database';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';
import { canonicalUrl } from '../settings-rules.js';
import { InvalidContentError } from '../../../http/invalid-input.js';
import { consumerChangedEntry } from '../consumer-commands.js';

/** Commands on requested changes of a consumer's URL. */
@Injectable()
export class UrlRequestCommands {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly requests: UrlRequestsRepository,
  ) {}

  /**
   * Requests a change of a consumer's URL, which an operator decides.
   * @throws InvalidContentError, NotFoundException; ConflictException when one waits, or this is the URL already
   */
  async make(
    consumerId: string,
    given: { readonly url: string; readonly reason?: string },
    actor: Actor,
  ): Promise<UrlRequestRow> {
    const faults: FieldFault[] = [];
    const url = canonicalUrl(given.url, this.config.egress.allowHttp, faults);
    if (faults.length > 0) throw new InvalidContentError(faults);
    const id = uuidv7();
    const made = await this.requests.make({ ...given, id, consumerId, url }, (urlBefore) =>
      auditEntry(actor, {
        action: 'url-request.made',
        target: `consumer:${consumerId}`,
        reason: given.reason,
        details: { urlRequestId: id, url, urlBefore },
      }),
    );
    switch (made.kind) {
      case 'made':
        return made.row;
      case 'no_consumer':
        throw new NotFoundException('There is no such consumer.');
      case 'one_is_waiting':
        throw new ConflictException('A request is waiting. Withdraw it before you make another.');
      case 'same_url':
        throw new ConflictException('This is the URL already.');
    }
  }

  /**
   * Withdraws a consumer's own waiting request.
   * @throws NotFoundException, also for another consumer's; ConflictException when it was decided
   */
  async withdraw(consumerId: string, id: string, actor: Actor): Promise<void> {
    const ended = await this.requests.end({ id, consumerId }, 'withdrawn', ({ url }) =>
      auditEntry(actor, {
        action: 'url-request.withdrawn',
        target: `consumer:${consumerId}`,
        details: { urlRequestId: id, url },
      }),
    );
    requireDecidedNow(ended);
  }

  /**
   * Changes a consumer's URL as its people requested. The audit log gets two entries in the transaction: the approval, and
   * the change of the consumer like every other one.
   * @throws NotFoundException; ConflictException when it was decided or withdrawn, or the URL has changed since
   */
  async approve(id: string, reason: string | undefined, actor: Actor): Promise<void> {
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

  /**
   * Rejects a requested change of a consumer's URL; the consumer's people see the reason.
   * @throws NotFoundException; ConflictException when it was decided or withdrawn
   */
  async reject(id: string, reason: string, actor: Actor): Promise<void> {
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

/** @throws NotFoundException or ConflictException with the reason, unless the request was decided now */
function requireDecidedNow(decided: UrlRequestDecided): void {
  switch (decided.kind) {
    case 'done':
      return;
    case 'unknown':
      throw new NotFoundException('There is no such request.');
    case 'decided':
      throw new ConflictException(`The request is ${decided.state} already.`);
    case 'url_changed':
      throw new ConflictException(
        'The consumer’s URL has changed since the request was made. Compare the three URLs, then reject the request or change the URL directly.',
      );
  }
}
