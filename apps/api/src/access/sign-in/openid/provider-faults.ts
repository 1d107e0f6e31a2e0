import { ServiceUnavailableException } from '@nestjs/common';
import { faultText } from '#libs/observability';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

/**
 * Raised if the browser's answer belongs to no sign-in started in it, or if the provider's statement is not valid.
 * The message is for the log and contains no token.
 */
export class AnswerRefusedError extends Error {
  override readonly name = 'AnswerRefusedError';
}

/** Raised if the provider does not answer, or not as a working and correctly configured provider. */
export class ProviderUnavailableError extends ServiceUnavailableException {
  override readonly name = 'ProviderUnavailableError';

  /** @param reason for the log */
  constructor(readonly reason: string) {
    super(
      'The OpenID Connect provider does not answer as it should. Try again in a moment, or sign in with an API key.',
    );
  }
}

/** Maximum logged characters of a value that comes from the browser. */
const MOST_SHOWN = 100;

/** Error codes of openid-client that show a provider's outage or malformed response. */
const UNREACHABLE_CODES = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

/**
 * Translates an error of openid-client for the log. Uses only its messages and codes, which contain no values, and
 * never the data attached to it. An unknown error is an internal error and is returned unchanged.
 */
export function providerFault(error: unknown): unknown {
  if (error instanceof AuthorizationResponseError)
    return new AnswerRefusedError(`the provider says ${error.error.slice(0, MOST_SHOWN)}`);
  if (error instanceof ResponseBodyError) {
    // Only `invalid_grant` concerns the browser's code. Others: a wrong client secret, or a fault of the provider.
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
    return UNREACHABLE_CODES.includes(code)
      ? new ProviderUnavailableError(reason)
      : new AnswerRefusedError(reason);
  }
  // `fetch` throws these when the provider is unreachable or disconnects.
  if (error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message))
    return new ProviderUnavailableError(`${error.message}: ${faultText(error.cause)}`);
  return error;
}
