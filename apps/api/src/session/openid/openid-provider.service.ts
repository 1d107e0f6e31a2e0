import { CONFIG, type Config, type OpenIdConfig } from '#libs/config';
import { LOGGER, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import * as client from 'openid-client';
import { AnswerRefusedError, ProviderUnavailableError, providerFault } from './provider-faults.js';

/** Of each request to the provider: a person is waiting. */
const ANSWER_WITHIN_SECONDS = 5;

/** What binds an answer to the sign-in that it answers; `verifier` is PKCE's (RFC 7636). */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The provider's claims about a person; `sub` is its id for the person. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * The provider, by the authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, section 3.1). It is
 * discovered at the first sign-in: while it is unreachable, nothing else waits for it.
 */
@Injectable()
export class OpenIdProvider {
  private readonly openId: OpenIdConfig | null;
  private discovery: Promise<client.Configuration> | null = null;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.openId = config.openId;
  }

  newSecrets(): SignInSecrets {
    return {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
  }

  /**
   * @returns where a browser signs in
   * @throws ProviderUnavailableError
   */
  async location({ redirectUrl }: OpenIdConfig, secrets: SignInSecrets): Promise<string> {
    const provider = await this.discovered();
    const url = client.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUrl,
      scope: 'openid profile',
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /**
   * Exchanges the code for the ID token and checks everything about it, its signature included.
   * @param answer the query that the provider sent the browser back with
   * @returns its claims, in addition to those of UserInfo when the one with the roles is not among its own
   * @throws AnswerRefusedError, ProviderUnavailableError
   */
  async claimsOf(openId: OpenIdConfig, answer: string, secrets: SignInSecrets): Promise<Claims> {
    const provider = await this.discovered();
    const url = new URL(openId.redirectUrl);
    url.search = answer;
    try {
      const tokens = await client.authorizationCodeGrant(provider, url, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the ID token that was asked for is missing');
      const isComplete = claims[openId.rolesClaim] !== undefined;
      if (isComplete || provider.serverMetadata().userinfo_endpoint === undefined) return claims;
      return { ...(await client.fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
    } catch (error) {
      throw this.logged(providerFault(error));
    }
  }

  /** Asked once, and again only when it failed. */
  private discovered(): Promise<client.Configuration> {
    this.discovery ??= this.discover().catch((error: unknown) => {
      this.discovery = null;
      const fault = providerFault(error);
      // No answer was presented yet, so the failure is the provider's.
      throw this.logged(
        fault instanceof AnswerRefusedError ? new ProviderUnavailableError(fault.message) : fault,
      );
    });
    return this.discovery;
  }

  private logged(fault: unknown): unknown {
    if (fault instanceof ProviderUnavailableError)
      this.logger.warn({ reason: fault.reason }, 'openid.provider_failed');
    return fault;
  }

  private discover(): Promise<client.Configuration> {
    if (this.openId === null) throw new Error('no provider is configured');
    const { issuer, clientId, clientSecret } = this.openId;
    // Plain http only for the issuer that the configuration allows it: on the machine itself.
    const plain = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    return client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      client.ClientSecretBasic(clientSecret),
      // The ID token comes from the provider itself; its signature is checked all the same.
      { timeout: ANSWER_WITHIN_SECONDS, execute: [client.enableNonRepudiationChecks, ...plain] },
    );
  }
}
