/** A cookie with a signed token, inaccessible to scripts and not sent by other sites (RFC 6265bis). */
export interface TokenCookie {
  /** Cookie name over https. Because of its prefix, browsers refuse such a cookie from another host of the domain. */
  readonly secureName: string;
  /** @returns the token in a `Cookie` header, or null if there is none or it is malformed */
  tokenIn(header: string | undefined, isLoopback: boolean): string | null;
  /** Returns the value of `Set-Cookie` that sets the cookie. */
  set(token: string, given: { readonly isSecure: boolean; readonly seconds: number }): string;
  /** Returns the value of `Set-Cookie` that removes the cookie. */
  clear(isSecure: boolean): string;
}

/** @param name cookie name without prefix; used as is on a loopback address, since plain http excludes the prefix */
export function createTokenCookie(name: string): TokenCookie {
  const secureName = `__Host-${name}`;
  // A compact JWS; its characters need no escaping in a cookie. The signature is verified later.
  const presentedAs = (cookie: string): RegExp =>
    new RegExp(`(?:^|;) *${cookie}=([\\w-]+\\.[\\w-]+\\.[\\w-]+) *(?:;|$)`);
  const [presented, presentedOnLoopback] = [presentedAs(secureName), presentedAs(name)];
  const cookie = (token: string, isSecure: boolean, seconds: number): string =>
    `${isSecure ? secureName : name}=${token}; Max-Age=${String(seconds)}; Path=/; HttpOnly; SameSite=Strict` +
    (isSecure ? '; Secure' : '');
  return {
    secureName,
    tokenIn(header = '', isLoopback) {
      const found = presented.exec(header) ?? (isLoopback ? presentedOnLoopback.exec(header) : null);
      return found?.[1] ?? null;
    },
    set: (token, { isSecure, seconds }) => cookie(token, isSecure, seconds),
    clear: (isSecure) => cookie('', isSecure, 0),
  };
}
