const MAX_URL_LENGTH = 2_048;
const CONTROL_CHARACTER = /\p{Cc}/u;
/** Userinfo, host and port as typed: the parsed URL does not show an empty userinfo. */
const AUTHORITY = /^[a-z]+:\/\/([^/?#]+)/i;

export type CanonicalUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly message: string };

/**
 * A consumer's URL in its one canonical form (WHATWG URL standard): the string that is shown to the operator,
 * requested and signed. Refused are a scheme other than https (or http, where the installation allows it), userinfo,
 * a fragment, more than 2,048 characters, and everything that the standard's parser would correct silently: leading or
 * trailing blanks, tabs, line breaks, backslashes, a wrong number of slashes after the scheme, an empty userinfo.
 */
export function canonicalConsumerUrl(raw: string, options: { readonly allowHttp: boolean }): CanonicalUrl {
  if (raw !== raw.trim()) return refuse('must not begin or end with a blank or a line break');
  if (CONTROL_CHARACTER.test(raw)) return refuse('must not contain tabs, line breaks or control characters');
  if (raw.includes('\\')) return refuse('must not contain a backslash (\\)');
  const url = URL.parse(raw);
  if (url === null) return refuse('must be an absolute URL');
  const authority = AUTHORITY.exec(raw)?.[1] ?? '';
  if (authority === '' || (url.protocol !== 'https:' && !(options.allowHttp && url.protocol === 'http:'))) {
    return refuse(options.allowHttp ? 'must begin with https:// or http://' : 'must begin with https://');
  }
  if (authority.includes('@')) return refuse('must not contain a user name or password (@ before the host)');
  if (raw.includes('#')) return refuse('must not contain a fragment (#)');
  if (url.href.length > MAX_URL_LENGTH) return refuse(`must be at most ${MAX_URL_LENGTH} characters long`);
  return { ok: true, url: url.href };
}

const refuse = (message: string): CanonicalUrl => ({ ok: false, message });
