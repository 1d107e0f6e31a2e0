const CONTROL_CHARACTER = /\p{Cc}/u;
/** A lone surrogate has no UTF-8 form, so a different text would be sent. */
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * The rule for a Basic user-id (RFC 7617, section 2): no colon, which ends it on the wire, and no control characters.
 *
 * @returns the fault without the value, or null.
 */
export function checkUsername(username: string): string | null {
  return username.includes(':') ? 'must not contain ":"' : faultInText(username);
}

/** The rule for a Basic password (RFC 7617, section 2): no control characters; a colon is allowed. */
export function checkPassword(password: string): string | null {
  return faultInText(password);
}

function faultInText(text: string): string | null {
  if (CONTROL_CHARACTER.test(text)) return 'must not contain control characters';
  return LONE_SURROGATE.test(text) ? 'must be well-formed Unicode' : null;
}
