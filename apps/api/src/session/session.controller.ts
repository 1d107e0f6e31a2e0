import { CONFIG, type Config } from '#libs/config';
import { ROLES } from '#libs/contracts';
import { LOGGER, PUBLIC, type Logger } from '#libs/observability';
import {
  Body,
  Controller,
  Delete,
  ForbiddenException,
  HttpCode,
  Inject,
  Post,
  Req,
  Res,
  SetMetadata,
  UnauthorizedException,
} from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allow } from '../access/allow.decorator.js';
import { describeCaller, MeDto } from '../access/me.dto.js';
import { AnswersWithoutDatabase } from '../access/without-database.decorator.js';
import { INVALID_CONTENT, Refuses } from '../http/refuses.js';
import { requestSite, requestScheme } from './request-origin.js';
import { SESSION_SECONDS, sessionCookie } from './session-cookie.js';
import { SignInDto } from './session.dto.js';
import { ConsoleSessions } from './console-sessions.service.js';

/** Sign-in to the console: a browser exchanges an API key for a session, so that it does not store the key. */
@ApiTags('access')
@Controller({ path: 'session', version: '1' })
export class SessionController {
  constructor(
    private readonly sessions: ConsoleSessions,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(200)
  @SetMetadata(PUBLIC, true)
  @ApiOperation({
    summary: 'Sign in: exchange an API key for a session',
    description: 'Sets a cookie for 12 hours. The session also ends when its key is revoked or expires.',
    operationId: 'signIn',
  })
  @ApiOkResponse({ type: MeDto })
  @Refuses({
    401: 'The API key is unknown, expired or revoked.',
    403: 'Sent by another site’s page, or over plain http.',
    422: INVALID_CONTENT,
    429: 'Too many sign-ins from this address have failed.',
  })
  async signIn(
    @Body() { apiKey }: SignInDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MeDto> {
    const scheme = requestScheme(request.headers);
    if (requestSite(request.headers) === 'foreign')
      throw new ForbiddenException('Sign in from the console’s own page.');
    if (scheme === 'plain') {
      throw new ForbiddenException(
        'A browser keeps no session over plain http. Open the console over https, or as localhost on the machine itself.',
      );
    }
    const session = await this.sessions.begin(apiKey, request.ip);
    if (session === null) {
      this.logger.warn({ address: request.ip }, 'session.refused');
      throw new UnauthorizedException('This API key is unknown, expired or revoked.');
    }
    const { caller, token } = session;
    this.logger.info({ actor: caller.name, address: request.ip }, 'session.started');
    void reply.header(
      'set-cookie',
      sessionCookie.set(token, { isSecure: scheme === 'https', seconds: SESSION_SECONDS }),
    );
    return describeCaller(caller, this.config);
  }

  @Delete()
  @HttpCode(204)
  @Allow(...ROLES)
  @AnswersWithoutDatabase()
  @ApiOperation({ summary: 'Sign out: removes the session cookie from the browser', operationId: 'signOut' })
  @ApiNoContentResponse()
  signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): void {
    void reply.header('set-cookie', sessionCookie.clear(requestScheme(request.headers) === 'https'));
  }
}
