/**
 * Origin and path of a canonical URL, without loss: `URL.search` omits the lone `?` of `https://a/b?`, which is signed.
 *
 * @throws TypeError when the URL is not in canonical form or not http(s): another URL would be requested than is signed.
 */
export function requestTarget(url: string): { readonly origin: string; readonly path: string } {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.href !== url || !['https:', 'http:'].includes(parsed.protocol)) {
    throw new TypeError('the URL is not in canonical form; see canonicalConsumerUrl');
  }
  if (!url.startsWith(`${parsed.origin}/`) || url.includes('#')) {
    throw new TypeError('the URL has userinfo or a fragment; see canonicalConsumerUrl');
  }
  return { origin: parsed.origin, path: url.slice(parsed.origin.length) };
}
