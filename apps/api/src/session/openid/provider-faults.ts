import { ServiceUnavailableException } from '@nestjs/common';
import { faultText } from '#libs/observability';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

/**
 * What a browser brought back is no answer to a sign-in begun in it, or the provider's statement does not hold. The
 * message is for the log, and has no token in it.
 */
export class AnswerRefusedError extends Error {
  override readonly name = 'AnswerRefusedError';
}

/** The provider does not answer, or not as one that works for us. */
export class ProviderUnavailableError extends ServiceUnavailableException {
  override readonly name = 'ProviderUnavailableError';

  /** @param reason for the log */
  constructor(readonly reason: string) {
    super(
      'The OpenID Connect provider does not answer as it should. Try again in a moment, or sign in with an API key.',
    );
  }
}

/** Of a word that comes by way of the browser. */
const MOST_SHOWN = 100;

/** What says of an answer that it is none of a provider that works. */
const AWAY_CODES = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

/**
 * Why a sign-in failed, from what openid-client throws: its own messages and codes, which have no
 * values in them, and never what its errors hold, which has. An unknown error is an internal error and is passed on unchanged.
 */
export function providerFault(error: unknown): unknown {
  if (error instanceof AuthorizationResponseError)
    return new AnswerRefusedError(`the provider says ${error.error.slice(0, MOST_SHOWN)}`);
  if (error instanceof ResponseBodyError) {
    // Everything but a code that does not hold is between the provider and us: a wrong secret, a fault of its own.
    const said = `the provider says ${error.error}`;
    return error.error === 'invalid_grant'
      ? new AnswerRefusedError(said)
      : new ProviderUnavailableError(said);
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    const [challenge] = error.cause;
    return new ProviderUnavailableError(
      `the provider says ${challenge?.parameters['error'] ?? `HTTP ${String(error.status)}`}`,
    );
  }
  if (error instanceof ClientError) {
    const { code = 'no code', cause, message } = error;
    const reason = `${code}: ${cause instanceof Error ? cause.message : message}`;
    return AWAY_CODES.includes(code) ? new ProviderUnavailableError(reason) : new AnswerRefusedError(reason);
  }
  // What fetch throws when the provider is unreachable or disconnects.
  if (error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message))
    return new ProviderUnavailableError(`${error.message}: ${faultText(error.cause)}`);
  return error;
}
