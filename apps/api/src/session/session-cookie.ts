import { createTokenCookie } from './token-cookie.js';

export const sessionCookie = createTokenCookie('dispatcher_session');

/** A session ends after a shift, even while its key is valid. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** The session of a person whom a provider identified: a right that the provider removes ends within this time. */
export const PERSON_SESSION_SECONDS = 60 * 60;
