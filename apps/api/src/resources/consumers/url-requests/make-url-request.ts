import { CONFIG, type Config } from '#libs/config';
import type { FieldFault } from '#libs/contracts';
import { UrlRequestsRepository, type UrlRequestRow } from '#libs/database';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';
import { canonicalUrl } from '../settings-rules.js';
import { InvalidContentError } from '../../../http/invalid-input.js';

/** Requests a change of a consumer's URL, which an operator decides. */
@Injectable()
export class MakeUrlRequest {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly requests: UrlRequestsRepository,
  ) {}

  /** @throws InvalidContentError, NotFoundException; ConflictException when one waits, or this is the URL already */
  async execute(
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
}
