/**
 * Headers of every answer that is not a page: no cache stores it, no browser guesses its type or executes it (OWASP, REST
 * Security Cheat Sheet). Browsers ignore `Strict-Transport-Security` over http.
 */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
