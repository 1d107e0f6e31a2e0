import { CONFIG, type Config, type OpenIdConfig } from '#libs/config';
import { PUBLIC } from '#libs/observability';
import {
  Body,
  Controller,
  ForbiddenException,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Post,
  Req,
  Res,
  SetMetadata,
  UnauthorizedException,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { introduce, MeDto } from '../../access/me.dto.js';
import { INVALID_CONTENT, Refuses } from '../../http/refuses.js';
import { isForLoopback, requestSite } from '../request-origin.js';
import { PERSON_SESSION_SECONDS, sessionCookie } from '../session-cookie.js';
import { OpenIdSignIn, SIGN_IN_SECONDS, signInCookie } from './openid-sign-in.service.js';
import { OpenIdAnswerDto, OpenIdOfferDto, OpenIdStartDto } from './openid.dto.js';

const NOT_SET_UP = 'Signing in by OpenID Connect is not set up here.';
const AWAY = 'The provider does not answer as it should. API keys sign in all the same.';

/**
 * The console's other way in: by the word of an OpenID Connect provider. Its page asks for the provider's address, goes
 * there, and hands in what it comes back with: everything that sets a cookie is a request of our own page's.
 */
@ApiTags('access')
@Controller({ path: 'session/openid', version: '1' })
export class OpenIdController {
  private readonly openId: OpenIdConfig | null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly signIn: OpenIdSignIn,
  ) {
    this.openId = config.openId;
  }

  @Get()
  @SetMetadata(PUBLIC, true)
  @ApiOperation({
    summary: 'What the sign-in page shows: OpenID Connect, and the environment',
    operationId: 'readOpenIdOffer',
  })
  @ApiOkResponse({ type: OpenIdOfferDto })
  offer(): OpenIdOfferDto {
    return { label: this.openId?.label ?? null, environment: this.config.environment };
  }

  @Post()
  @HttpCode(200)
  @SetMetadata(PUBLIC, true)
  @ApiOperation({
    summary: 'Begin to sign in by OpenID Connect',
    description: 'Sets a cookie for ten minutes that ties the provider’s answer to this browser.',
    operationId: 'beginOpenIdSignIn',
  })
  @ApiOkResponse({ type: OpenIdStartDto })
  @Refuses({
    403: 'Sent by another site’s page, or to another address than is set up.',
    404: NOT_SET_UP,
    503: AWAY,
  })
  async begin(
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OpenIdStartDto> {
    const openId = this.setUpFor(headers);
    const { location, token } = await this.signIn.begin(openId);
    const cookie = signInCookie.set(token, { isSecure: isSecure(openId), seconds: SIGN_IN_SECONDS });
    void reply.header('set-cookie', cookie);
    return { location };
  }

  @Post('answer')
  @HttpCode(200)
  @SetMetadata(PUBLIC, true)
  @ApiOperation({
    summary: 'Sign in: exchange the provider’s answer for a session',
    description:
      'Sets a cookie for an hour. The role is the strongest that the provider’s claim is mapped to.',
    operationId: 'finishOpenIdSignIn',
  })
  @ApiOkResponse({ type: MeDto })
  @Refuses({
    401: 'It answers no sign-in of this browser’s, was used before, or does not hold.',
    403: 'No role is mapped to what the provider says, or it was sent by another site’s page.',
    404: NOT_SET_UP,
    422: INVALID_CONTENT,
    429: 'Too many sign-ins from this address have failed.',
    503: AWAY,
  })
  async finish(
    @Body() { answer }: OpenIdAnswerDto,
    @Req() { headers, ip, id }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MeDto> {
    const openId = this.setUpFor(headers);
    const token = signInCookie.tokenIn(headers.cookie, isForLoopback(headers));
    // The answer to this sign-in is used up, successful or not.
    void reply.header('set-cookie', signInCookie.clear(isSecure(openId)));
    const signedIn = await this.signIn.finish(openId, { answer, token, address: ip, requestId: id });
    if (signedIn === null) {
      throw new UnauthorizedException(
        'This answers no sign-in that was begun in this browser in the last ten minutes, was used before, or does not hold. Sign in again; if it stays so, the log has the reason.',
      );
    }
    if (signedIn.caller === null) throw new ForbiddenException(noRole(openId));
    const session = { isSecure: isSecure(openId), seconds: PERSON_SESSION_SECONDS };
    void reply.header('set-cookie', sessionCookie.set(signedIn.token, session));
    return introduce(signedIn.caller, this.config);
  }

  private setUpFor(headers: FastifyRequest['headers']): OpenIdConfig {
    if (this.openId === null) throw new NotFoundException(NOT_SET_UP);
    if (requestSite(headers) === 'foreign')
      throw new ForbiddenException('Sign in from the console’s own page.');
    const { origin } = new URL(this.openId.redirectUrl);
    if (headers.origin !== undefined && headers.origin !== origin) {
      throw new ForbiddenException(
        `The provider sends browsers back to ${origin} (OIDC_REDIRECT_URL): open the console there to sign in this way.`,
      );
    }
    return this.openId;
  }
}

const isSecure = ({ redirectUrl }: OpenIdConfig): boolean => redirectUrl.startsWith('https:');

/** What to ask for; the reader has an account with the provider. */
function noRole({ rolesClaim, roleMap }: OpenIdConfig): string {
  const mapped = [...roleMap].map(([value, role]) => `“${value}” (${role})`).join(', ');
  return `The provider knows you, but gives you no role here: its claim “${rolesClaim}” has none of ${mapped}. Ask its administrator for one of these, then sign in again.`;
}
