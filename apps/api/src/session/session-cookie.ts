/** Over https the prefix has the browser refuse a cookie that another host of the domain has set (RFC 6265bis). */
export const SESSION_COOKIE = '__Host-dispatcher_session';

/** On the machine itself, where plain http will do, the prefix will not. */
const LOOPBACK_COOKIE = 'dispatcher_session';

/** A session ends after a shift, whatever its key may still do. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** A compact JWS, whose characters need no escaping in a cookie; whether it is ours is asked later. */
const presentedAs = (name: string): RegExp =>
  new RegExp(`(?:^|;) *${name}=([\\w-]+\\.[\\w-]+\\.[\\w-]+) *(?:;|$)`);
const PRESENTED = presentedAs(SESSION_COOKIE);
const PRESENTED_ON_LOOPBACK = presentedAs(LOOPBACK_COOKIE);

/** @returns the session that a `Cookie` header presents, or null when it has none, or nothing in the form of one */
export function sessionTokenOf(header: string | undefined, isLoopback: boolean): string | null {
  const found =
    PRESENTED.exec(header ?? '') ?? (isLoopback ? PRESENTED_ON_LOOPBACK.exec(header ?? '') : null);
  return found?.[1] ?? null;
}

/** The value of `Set-Cookie` for a session: out of reach of scripts and of other sites (RFC 6265bis). */
export const sessionCookie = (token: string, isSecure: boolean): string =>
  `${isSecure ? SESSION_COOKIE : LOOPBACK_COOKIE}=${token}; Max-Age=${String(SESSION_SECONDS)}; ${attributes(isSecure)}`;

/** The value of `Set-Cookie` that takes the session away. */
export const noSessionCookie = (isSecure: boolean): string =>
  `${isSecure ? SESSION_COOKIE : LOOPBACK_COOKIE}=; Max-Age=0; ${attributes(isSecure)}`;

const attributes = (isSecure: boolean): string =>
  `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
