import { PERSON_PREFIX } from '../../access/caller.js';

/** OpenID Connect Core 1.0, section 2. */
const LONGEST_SUBJECT = 255;
/** All of it has to fit into a cookie. */
const LONGEST_NAME = 100;

/**
 * What a person is called: `name` in the audit log, `person` on the screen. User names change hands and are the provider's to
 * give, the subject is not: so the audit log has both, the subject last and in parentheses.
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

/** Without what cannot be seen or turns the direction of writing; null when nothing is left, or it is no text. */
function plain(value: unknown, longest = LONGEST_NAME): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return text === '' ? null : [...text].slice(0, longest).join('');
}
