import { createTokenCookie } from './token-cookie.js';

export const sessionCookie = createTokenCookie('dispatcher_session');

/** A session ends after a shift, whatever its key may still do. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** Of a person whom a provider vouched for: longer than this nothing holds that the provider has taken away since. */
export const PERSON_SESSION_SECONDS = 60 * 60;
