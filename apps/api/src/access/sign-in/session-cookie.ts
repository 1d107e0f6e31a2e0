import { createTokenCookie } from './token-cookie.js';

export const sessionCookie = createTokenCookie('dispatcher_session');

/** Lifetime of a session: one shift, even if its key is still valid. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** Lifetime of a person's session. A role that the OpenID provider removes ends within this time. */
export const PERSON_SESSION_SECONDS = 60 * 60;
