import { PERSON_PREFIX } from '../../caller.js';

/** Maximum length of `sub` (OpenID Connect Core 1.0, section 2). */
const LONGEST_SUBJECT = 255;
/** Maximum length of other names, since the session cookie has to contain all of them. */
const LONGEST_NAME = 100;

/**
 * Names of a person: `name` for the audit log, `person` for the screen. A provider can reassign a user name to
 * another person, but not the subject. The audit log therefore has both, the subject last and in parentheses.
 */
export function personNames(claims: Readonly<Record<string, unknown>> & { readonly sub: string }): {
  name: string;
  person: string;
} {
  const subject = plain(claims.sub, LONGEST_SUBJECT) ?? '';
  const userName = plain(claims['preferred_username']) ?? plain(claims['email']);
  return {
    name: `${PERSON_PREFIX}${userName === null ? subject : `${userName} (${subject})`}`,
    person: plain(claims['name']) ?? userName ?? subject,
  };
}

/** Removes invisible characters and changes of text direction. Null if nothing remains or the value is no string. */
function plain(value: unknown, longest = LONGEST_NAME): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return text === '' ? null : [...text].slice(0, longest).join('');
}
