/** A cookie that holds a signed token, out of reach of scripts and of other sites (RFC 6265bis). */
export interface TokenCookie {
  /** Its name over https, where the prefix has the browser refuse what another host of the domain has set. */
  readonly secureName: string;
  /** @returns the token in a `Cookie` header, or null when it has none, or nothing in the form of one */
  tokenIn(header: string | undefined, isLoopback: boolean): string | null;
  /** The value of `Set-Cookie` that gives it to a browser. */
  set(token: string, given: { readonly isSecure: boolean; readonly seconds: number }): string;
  /** The value of `Set-Cookie` that removes it. */
  clear(isSecure: boolean): string;
}

/** @param name without the prefix, as it is on the machine itself, where plain http will do and the prefix will not */
export function createTokenCookie(name: string): TokenCookie {
  const secureName = `__Host-${name}`;
  // A compact JWS, whose characters need no escaping in a cookie; whether it is ours is asked later.
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
