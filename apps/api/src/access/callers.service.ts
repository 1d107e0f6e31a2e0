import { Injectable, UnauthorizedException } from '@nestjs/common';
import { ConsoleSessions } from './sign-in/console-sessions.service.js';
import { ApiKeyLookup } from './api-key-lookup.service.js';
import type { Caller, RequestWithCaller } from './caller.js';
import { FailedAttempts } from './failed-attempts.service.js';
import { SEND_A_KEY } from './presented-key.js';

/** Identifies the caller of a request by its API key or session. */
@Injectable()
export class Callers {
  constructor(
    private readonly apiKeyLookup: ApiKeyLookup,
    private readonly sessions: ConsoleSessions,
    private readonly failures: FailedAttempts,
  ) {}

  /**
   * Returns the caller. It is looked up once per request and stored in the request.
   * @param withoutDatabase trust a session's signature when PostgreSQL is unreachable
   * @throws UnauthorizedException for an unknown key, an ended session, or neither
   * @throws TooManyRequestsError for an unknown key from an address that has sent too many of them
   */
  async callerOf(request: RequestWithCaller, withoutDatabase = false): Promise<Caller> {
    request.caller ??= await this.find(request, withoutDatabase);
    return request.caller;
  }

  /**
   * Returns the caller if it is a consumer's own person; null for anybody else, also with a key or session that is not valid.
   * @throws TooManyRequestsError like `callerOf`
   */
  async ofConsumer(
    request: RequestWithCaller,
    withoutDatabase = false,
  ): Promise<(Caller & { readonly consumerId: string }) | null> {
    if (request.presented == null) return null;
    try {
      const caller = await this.callerOf(request, withoutDatabase);
      const { consumerId } = caller;
      return consumerId === null ? null : { ...caller, consumerId };
    } catch (error) {
      if (error instanceof UnauthorizedException) return null;
      throw error;
    }
  }

  private async find({ presented, ip }: RequestWithCaller, withoutDatabase: boolean): Promise<Caller> {
    if (presented == null) throw new UnauthorizedException(SEND_A_KEY);
    if (presented.kind === 'session') {
      const caller = await this.sessions.callerOf(presented.token, withoutDatabase);
      if (caller === null) throw new UnauthorizedException('The session has ended. Sign in again.');
      return caller;
    }
    const isRemembered = this.apiKeyLookup.remembers(presented.hash);
    const caller = await this.apiKeyLookup.callerOf(presented.hash);
    if (caller !== null) return caller;
    if (!isRemembered) await this.failures.unknownKey(ip);
    throw new UnauthorizedException('The API key is unknown, expired or revoked.');
  }
}
