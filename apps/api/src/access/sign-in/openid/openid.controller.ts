import { CONFIG, type Config, type OpenIdConfig } from '#libs/config';
import { PUBLIC } from '#libs/observability';
import {
  Body,
  ForbiddenException,
  Get,
  Inject,
  NotFoundException,
  Req,
  Res,
  SetMetadata,
  UnauthorizedException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LOGO_PATH } from '../../../console/serve-logo.js';
import { describeCaller, MeDto } from '../../me.dto.js';
import { Action, Refuses, Routes } from '../../../http/routes.js';
import { isForLoopback, requestSite } from '../request-origin.js';
import { PERSON_SESSION_SECONDS, sessionCookie } from '../session-cookie.js';
import { OpenIdSignIn, SIGN_IN_SECONDS, signInCookie } from './openid-sign-in.service.js';
import { OpenIdAnswerDto, OpenIdOfferDto, OpenIdStartDto } from './openid.dto.js';

const NOT_SET_UP = 'Signing in by OpenID Connect is not set up here.';
const PROVIDER_UNAVAILABLE =
  'The provider is unreachable or its answer is invalid. Signing in with an API key still works.';

/**
 * Sign-in to the console by OpenID Connect. The console's page requests the provider's URL, goes there, and posts the
 * answer with which it returns. Cookies are therefore set only by requests of the console's own page.
 */
@Routes({ path: 'session/openid', tag: 'access' })
export class OpenIdController {
  private readonly openId: OpenIdConfig | null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly signIn: OpenIdSignIn,
  ) {
    this.openId = config.openId;
  }

  /** Read what the console shows without a session: OpenID Connect, the environment and the brand */
  @Get()
  @SetMetadata(PUBLIC, true)
  readOpenIdOffer(): OpenIdOfferDto {
    const { environment, brand } = this.config;
    const logo = brand.logo === null ? null : LOGO_PATH;
    return { label: this.openId?.label ?? null, environment, brand: { ...brand, logo } };
  }

  /**
   * Start a sign-in by OpenID Connect
   * @remarks Sets a cookie for ten minutes that binds the provider’s answer to this browser.
   */
  @Action()
  @SetMetadata(PUBLIC, true)
  @Refuses({
    403: 'Sent by another site’s page, or from another origin than the configured one.',
    404: NOT_SET_UP,
    503: PROVIDER_UNAVAILABLE,
  })
  async beginOpenIdSignIn(
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OpenIdStartDto> {
    const openId = this.setUpFor(headers);
    const { location, token } = await this.signIn.begin(openId);
    const cookie = signInCookie.set(token, { isSecure: isSecure(openId), seconds: SIGN_IN_SECONDS });
    void reply.header('set-cookie', cookie);
    return { location };
  }

  /**
   * Sign in: exchange the provider’s answer for a session
   * @remarks Sets a cookie for one hour. The person gets the strongest role to which the provider’s claim is mapped.
   */
  @Action('answer')
  @SetMetadata(PUBLIC, true)
  @Refuses({
    401: 'The answer belongs to no sign-in of this browser, was already used, or is not valid.',
    403: 'The provider’s claim is mapped to no role, or the request was sent by another site’s page.',
    404: NOT_SET_UP,
    429: 'Too many sign-ins from this address have failed.',
    503: PROVIDER_UNAVAILABLE,
  })
  async finishOpenIdSignIn(
    @Body() { answer }: OpenIdAnswerDto,
    @Req() { headers, ip, id }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MeDto> {
    const openId = this.setUpFor(headers);
    const token = signInCookie.tokenIn(headers.cookie, isForLoopback(headers));
    // A sign-in can be finished only once, whether it succeeds or not.
    void reply.header('set-cookie', signInCookie.clear(isSecure(openId)));
    const signedIn = await this.signIn.finish(openId, { answer, token, address: ip, requestId: id });
    if (signedIn === null) {
      throw new UnauthorizedException(
        'The provider’s answer belongs to no sign-in that this browser began in the last ten minutes, was used before, or is invalid. Sign in again. If the error persists, the log has the reason.',
      );
    }
    if (signedIn.caller === null) throw new ForbiddenException(noRole(openId));
    const session = { isSecure: isSecure(openId), seconds: PERSON_SESSION_SECONDS };
    void reply.header('set-cookie', sessionCookie.set(signedIn.token, session));
    return describeCaller(signedIn.caller, this.config);
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

/** Message that says which values of the claim grant a role; its reader has an account with the provider. */
function noRole({ rolesClaim, roleMap }: OpenIdConfig): string {
  const mapped = [...roleMap].map(([value, role]) => `“${value}” (${role})`).join(', ');
  return `The provider knows you, but gives you no role here: its claim “${rolesClaim}” has none of ${mapped}. Ask its administrator for one of these, then sign in again.`;
}
