/**
 * The path to open after signing in: always of this origin (no open redirect). It is parsed as the browser does, since
 * `/\t/evil.example` and `/.//evil.example` lead to another origin, too.
 */
export function ownPath(to: string | null, origin: string): string {
  if (to === null || !to.startsWith('/')) return '/';
  const url = URL.parse(to, origin);
  if (url === null || url.origin !== origin || url.pathname.startsWith('//')) return '/';
  return url.pathname.startsWith('/sign-in') ? '/' : `${url.pathname}${url.search}${url.hash}`;
}
