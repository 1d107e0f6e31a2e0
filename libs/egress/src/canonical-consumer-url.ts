const MAX_URL_LENGTH = 2_048;

export type CanonicalUrl =
  { readonly ok: true; readonly url: string } | { readonly ok: false; readonly message: string };

/**
 * A consumer's URL in its one canonical form (WHATWG URL standard): the string that is shown to the operator,
 * requested and signed. Refused: another scheme than https (or http, where the installation allows it),
 * userinfo, a fragment, and more than 2,048 characters.
 */
export function canonicalConsumerUrl(raw: string, options: { readonly allowHttp: boolean }): CanonicalUrl {
  const url = URL.parse(raw);
  if (url === null) return refuse('must be an absolute URL');
  if (url.protocol !== 'https:' && !(options.allowHttp && url.protocol === 'http:')) {
    return refuse(options.allowHttp ? 'must begin with https:// or http://' : 'must begin with https://');
  }
  if (url.username !== '' || url.password !== '') return refuse('must not contain a user name or password');
  // `hash` is empty for a lone "#", which stays in the serialisation all the same.
  if (url.href.includes('#')) return refuse('must not contain a fragment (#)');
  if (url.href.length > MAX_URL_LENGTH) return refuse(`must be at most ${MAX_URL_LENGTH} characters long`);
  return { ok: true, url: url.href };
}

const refuse = (message: string): CanonicalUrl => ({ ok: false, message });
