/** Name of the cookie that carries a session. */
export const SESSION_COOKIE = 'dispatcher_session';

/** A session ends after a shift, whatever its key may still do. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** A compact JWS, whose characters need no escaping in a cookie; whether it is ours is asked later. */
const PRESENTED = new RegExp(`(?:^|;) *${SESSION_COOKIE}=([\\w-]+\\.[\\w-]+\\.[\\w-]+) *(?:;|$)`);

/** @returns the session that a `Cookie` header presents, or null when it has none, or nothing in the form of one */
export const sessionTokenOf = (header: string | undefined): string | null =>
  PRESENTED.exec(header ?? '')?.[1] ?? null;

/** The value of `Set-Cookie` for a session: out of reach of scripts and of other sites (RFC 6265bis). */
export const sessionCookie = (token: string, isSecure: boolean): string =>
  `${SESSION_COOKIE}=${token}; Max-Age=${String(SESSION_SECONDS)}; ${attributes(isSecure)}`;

/** The value of `Set-Cookie` that takes the session away. */
export const noSessionCookie = (isSecure: boolean): string =>
  `${SESSION_COOKIE}=; Max-Age=0; ${attributes(isSecure)}`;

const attributes = (isSecure: boolean): string =>
  `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
