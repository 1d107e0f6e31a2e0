import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, UnauthorizedException } from '@nestjs/common';
import { Sessions } from '../session/sessions.service.js';
import { hashApiKey } from './api-key.js';
import type { Caller } from './caller.js';
import { KeyRing } from './key-ring.service.js';
import { presentedBy } from './presented-key.js';
import { Strangers } from './strangers.service.js';

/** Tells who makes a request, with a key or with a session. */
@Injectable()
export class Callers {
  constructor(
    private readonly keyRing: KeyRing,
    private readonly sessions: Sessions,
    private readonly strangers: Strangers,
  ) {}

  /**
   * @param address the client's
   * @param withoutDatabase believe a session's signature when PostgreSQL cannot be asked
   * @throws UnauthorizedException for nobody that we know
   * @throws TooManyRequestsError for too many of them from one address
   */
  async callerOf(headers: IncomingHttpHeaders, address: string, withoutDatabase = false): Promise<Caller> {
    const presented = presentedBy(headers);
    if (presented.kind === 'session') {
      const caller = await this.sessions.callerOf(presented.token, withoutDatabase);
      if (caller === null) throw new UnauthorizedException('The session has ended. Sign in again.');
      return caller;
    }
    const hash = hashApiKey(presented.key);
    const lookUp = (): Promise<Caller | null> => this.keyRing.callerOf(hash);
    const caller = await (this.keyRing.knows(hash) ? lookUp() : this.strangers.presentsKey(address, lookUp));
    if (caller === null) throw new UnauthorizedException('The API key is unknown, expired or revoked.');
    return caller;
  }
}
