/**
 * On every answer that is no page: it is kept by nobody, read as what it says it is, and does nothing in a browser
 * that somebody lured to it (OWASP, REST Security Cheat Sheet). `Strict-Transport-Security` is heeded over https alone.
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
