import { CONFIG, type Config, type OpenIdConfig } from '#libs/config';
import { LOGGER, type Logger } from '#libs/observability';
import { createSignedTokens, readKeyring, type SignedTokens } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { FailedAttempts } from '../../failed-attempts.service.js';
import { ConsoleSessions, type PersonCaller } from '../console-sessions.service.js';
import { createTokenCookie } from '../token-cookie.js';
import { grantedRole } from './granted-role.js';
import { OpenIdProvider, type SignInSecrets } from './openid-provider.service.js';
import { personNames } from './person-names.js';
import { AnswerRefusedError } from './provider-faults.js';

/** Binds a sign-in to the browser that started it. Each new sign-in replaces the former. */
export const signInCookie = createTokenCookie('dispatcher_sign_in');

/** Maximum duration of a sign-in, in seconds: time to find the password and a second factor. */
export const SIGN_IN_SECONDS = 10 * 60;

/** Result for a person identified by the provider; `caller` is null if the person has no role. */
export type SignedIn = { readonly caller: PersonCaller; readonly token: string } | { readonly caller: null };

interface ProviderRedirect {
  readonly answer: string;
  readonly token: string | null;
  /** The client's address. */
  readonly address: string;
  /** Identifies the request in the log. */
  readonly requestId: string;
}

/** Sign-in by OpenID Connect in two steps; the provider's own page comes between them. */
@Injectable()
export class OpenIdSignIn {
  private readonly tokens: SignedTokens;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly provider: OpenIdProvider,
    private readonly sessions: ConsoleSessions,
    private readonly failures: FailedAttempts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.tokens = createSignedTokens(readKeyring(config.keyring), {
      purpose: 'openid-sign-in/1',
      lifetimeSeconds: SIGN_IN_SECONDS,
    });
  }

  /**
   * @returns the provider's URL for the browser, and the token for the browser's sign-in cookie
   * @throws ProviderUnavailableError
   */
  async begin(openId: OpenIdConfig): Promise<{ location: string; token: string }> {
    const secrets = this.provider.newSecrets();
    const location = await this.provider.location(openId, secrets);
    return { location, token: await this.tokens.sign({ ...secrets }) };
  }

  /**
   * @param redirect the provider's answer and the browser's sign-in token
   * @returns null when the answer or the token is not valid
   * @throws ProviderUnavailableError; TooManyRequestsError after too many failed sign-ins from one address
   */
  async finish(openId: OpenIdConfig, redirect: ProviderRedirect): Promise<SignedIn | null> {
    const { address, requestId } = redirect;
    await this.failures.requireOpenIdSignInLeft(address);
    try {
      return await this.signedIn(openId, redirect);
    } catch (error) {
      if (!(error instanceof AnswerRefusedError)) throw error;
      this.logger.warn({ requestId, address, reason: error.message }, 'session.refused');
      await this.failures.openIdSignIn(address);
      return null;
    }
  }

  private async signedIn(
    openId: OpenIdConfig,
    { answer, token, address, requestId }: ProviderRedirect,
  ): Promise<SignedIn> {
    const secrets = token === null ? null : secretsIn(await this.tokens.verify(token));
    if (secrets === null) throw new AnswerRefusedError('no sign-in was begun in this browser');
    const claims = await this.provider.claimsOf(openId, answer, secrets);
    const names = personNames(claims);
    const role = grantedRole(claims[openId.rolesClaim], openId.roleMap);
    if (role === null) {
      this.logger.warn({ requestId, actor: names.name, address, reason: 'no role' }, 'session.refused');
      return { caller: null };
    }
    const caller: PersonCaller = { ...names, roles: [role], consumerId: null };
    this.logger.info({ actor: caller.name, role, address }, 'session.started');
    return { caller, token: await this.sessions.beginOf(caller) };
  }
}

function secretsIn(claims: Readonly<Record<string, unknown>> | null): SignInSecrets | null {
  const { state, nonce, verifier } = claims ?? {};
  return typeof state === 'string' && typeof nonce === 'string' && typeof verifier === 'string'
    ? { state, nonce, verifier }
    : null;
}
