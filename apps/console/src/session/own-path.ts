/**
 * Where to go after signing in: a path of this origin and nothing else, whatever the URL says (no open redirect). It is
 * read as the browser would read it: `/\t/evil.example` and `/.//evil.example` lead elsewhere, too.
 */
export function ownPath(to: string | null, origin: string): string {
  if (to === null || !to.startsWith('/')) return '/';
  const url = URL.parse(to, origin);
  if (url === null || url.origin !== origin || url.pathname.startsWith('//')) return '/';
  return url.pathname.startsWith('/sign-in') ? '/' : `${url.pathname}${url.search}${url.hash}`;
}
