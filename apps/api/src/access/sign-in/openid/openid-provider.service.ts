import { CONFIG, type Config, type OpenIdConfig } from '#libs/config';
import { LOGGER, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import * as client from 'openid-client';
import { AnswerRefusedError, ProviderUnavailableError, providerFault } from './provider-faults.js';

/** Timeout of each request to the provider; a person is waiting. */
const ANSWER_WITHIN_SECONDS = 5;

/** Secrets that bind the provider's answer to a sign-in; `verifier` is the PKCE code verifier (RFC 7636). */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The provider's claims about a person; `sub` is the provider's id of the person. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * Client of the OpenID provider: authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, section
 * 3.1). Discovery runs at the first sign-in, so that an unreachable provider delays nothing else.
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
   * @returns the provider's URL to which the browser goes to sign in
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
   * Exchanges the code for the ID token and verifies it, including its signature.
   * @param answer the query of the URL to which the provider redirected the browser
   * @returns the claims of the ID token; if the roles claim is missing, together with the claims of UserInfo
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

  /** Discovers the provider once; a failed discovery is repeated when it is needed again. */
  private discovered(): Promise<client.Configuration> {
    this.discovery ??= this.discover().catch((error: unknown) => {
      this.discovery = null;
      const fault = providerFault(error);
      // The browser has not presented an answer yet, so the provider caused the failure.
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
    // The configuration permits plain http only for an issuer on the machine itself.
    const plain = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    return client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      client.ClientSecretBasic(clientSecret),
      // The signature of the ID token is checked, although the token comes directly from the provider.
      { timeout: ANSWER_WITHIN_SECONDS, execute: [client.enableNonRepudiationChecks, ...plain] },
    );
  }
}
