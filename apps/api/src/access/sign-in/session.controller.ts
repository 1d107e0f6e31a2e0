import { CONFIG, type Config } from '#libs/config';
import { ROLES } from '#libs/contracts';
import { LOGGER, PUBLIC, type Logger } from '#libs/observability';
import {
  Body,
  Delete,
  ForbiddenException,
  HttpCode,
  Inject,
  Req,
  Res,
  SetMetadata,
  UnauthorizedException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allow } from '../allow.decorator.js';
import type { Caller } from '../caller.js';
import { describeCaller, MeDto } from '../me.dto.js';
import { AnswersWithoutDatabase } from '../without-database.decorator.js';
import { Action, Refuses, Routes } from '../../http/routes.js';
import { requestSite, requestScheme } from './request-origin.js';
import { SESSION_SECONDS, sessionCookie } from './session-cookie.js';
import { SignInDto, UseSignInLinkDto } from './session.dto.js';
import { LinkSignIn } from './link/link-sign-in.service.js';
import { ConsoleSessions } from './console-sessions.service.js';

/** Sign-in to the console: a browser exchanges an API key or a sign-in link for a session, so that it does not store them. */
@Routes({ path: 'session', tag: 'access' })
export class SessionController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly links: LinkSignIn,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Sign in: exchange an API key for a session
   * @remarks Sets a cookie for 12 hours. The session also ends when its key is revoked or expires.
   */
  @Action()
  @SetMetadata(PUBLIC, true)
  @Refuses({
    401: 'The API key is unknown, expired or revoked.',
    403: 'Sent by another site’s page, or over plain http.',
    429: 'Too many sign-ins from this address have failed.',
  })
  async signIn(
    @Body() { apiKey }: SignInDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MeDto> {
    const scheme = schemeOfSignIn(request);
    const session = await this.sessions.begin(apiKey, request.ip);
    if (session === null) {
      this.logger.warn({ address: request.ip }, 'session.refused');
      throw new UnauthorizedException('This API key is unknown, expired or revoked.');
    }
    return this.started(session, { scheme, request, reply });
  }

  /**
   * Sign in: exchange a sign-in link for a session of the consumer’s portal
   * @remarks The link can be used once. Sets a cookie for 12 hours. The session also ends when the link is revoked or
   * its consumer removed.
   */
  @Action('link')
  @SetMetadata(PUBLIC, true)
  @Refuses({
    401: 'The link is unknown, used, expired or revoked.',
    403: 'Sent by another site’s page, or over plain http.',
    429: 'Too many sign-ins from this address have failed.',
  })
  async signInByLink(
    @Body() { token }: UseSignInLinkDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MeDto> {
    // Before the link is used: a refused request must not use it up.
    const scheme = schemeOfSignIn(request);
    const session = await this.links.begin(token, request.ip);
    if (session === null) {
      this.logger.warn({ address: request.ip }, 'session.refused');
      throw new UnauthorizedException(
        'This link is unknown, expired, revoked, or has been used. Ask the bank for a new one.',
      );
    }
    return this.started(session, { scheme, request, reply });
  }

  /** Sign out: removes the session cookie from the browser */
  @Delete()
  @HttpCode(204)
  @Allow(...ROLES)
  @AnswersWithoutDatabase()
  signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): void {
    void reply.header('set-cookie', sessionCookie.clear(requestScheme(request.headers) === 'https'));
  }

  private started(
    { caller, token }: { readonly caller: Caller; readonly token: string },
    { scheme, request, reply }: { scheme: Scheme; request: FastifyRequest; reply: FastifyReply },
  ): MeDto {
    this.logger.info({ actor: caller.name, address: request.ip }, 'session.started');
    void reply.header(
      'set-cookie',
      sessionCookie.set(token, { isSecure: scheme === 'https', seconds: SESSION_SECONDS }),
    );
    return describeCaller(caller, this.config);
  }
}

type Scheme = Exclude<ReturnType<typeof requestScheme>, 'plain'>;

/** How the browser reaches the console. @throws ForbiddenException for another site's page, and over plain http */
export function schemeOfSignIn({ headers }: FastifyRequest): Scheme {
  const scheme = requestScheme(headers);
  if (requestSite(headers) === 'foreign')
    throw new ForbiddenException('Sign in from the console’s own page.');
  if (scheme === 'plain') {
    throw new ForbiddenException(
      'A browser keeps no session over plain http. Open the console over https, or as localhost on the machine itself.',
    );
  }
  return scheme;
}
