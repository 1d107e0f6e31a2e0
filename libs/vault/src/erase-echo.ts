import type { Credentials } from './credentials.js';

const ERASED = '[redacted]';
/** Minimum length of an erased secret: the characters of a shorter one occur in normal text. */
const LEAST_LENGTH = 6;
/** Minimum length of a secret's beginning that is erased at a truncated text's end; a shorter one reveals nothing. */
const LEAST_BEGINNING = 4;

/**
 * Returns a function that erases the secrets that a consumer repeats in its answer: signing secret, password, `Authorization`,
 * `x-signature`; plain, or escaped for JSON or a URL. Other encodings (such as the whole answer in base64) are not
 * recognised.
 */
export function echoEraser(
  credentials: Credentials,
  requestHeaders: Readonly<Record<string, string>>,
): (text: string, isCutOff?: boolean) => string {
  const { authorization, signature } = secretHeaders(requestHeaders);
  const lasting = lastingForms(credentials, authorization);
  // The longest first, since one form can contain another.
  const forms = [...lasting, ...formsOf(signature)].toSorted((one, other) => other.length - one.length);
  return (text, isCutOff = false) => {
    let erased = text;
    for (const form of forms) erased = erased.replaceAll(form, ERASED);
    return isCutOff ? withoutBeginnings(erased, forms) : erased;
  };
}

/** Cache by credentials of the forms of secrets that are the same for all attempts. */
const LASTING = new WeakMap<
  Credentials,
  { readonly authorization: string; readonly forms: readonly string[] }
>();

function lastingForms(credentials: Credentials, authorization: string): readonly string[] {
  const known = LASTING.get(credentials);
  if (known?.authorization === authorization) return known.forms;
  const forms = [credentials.signingSecret, credentials.password, authorization].flatMap(formsOf);
  LASTING.set(credentials, { authorization, forms });
  return forms;
}

function secretHeaders(headers: Readonly<Record<string, string>>): {
  authorization: string;
  signature: string;
} {
  let [authorization, signature] = ['', ''];
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (lower === 'authorization') authorization = value.slice(value.indexOf(' ') + 1);
    else if (lower === 'x-signature') signature = value;
  }
  return { authorization, signature };
}

/** The different spellings of a secret; none for a short one. */
function formsOf(secret: string): string[] {
  if (secret.length < LEAST_LENGTH) return [];
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const url = encodeURIComponent(secret.toWellFormed());
  return [...new Set([secret, json, ascii, json.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/'), url])];
}

function withoutBeginnings(text: string, forms: readonly string[]): string {
  let shortest = text;
  for (const form of forms) {
    for (let length = form.length - 1; length >= LEAST_BEGINNING; length -= 1) {
      if (!text.endsWith(form.slice(0, length))) continue;
      const cut = `${text.slice(0, -length)}${ERASED}`;
      if (cut.length < shortest.length || shortest === text) shortest = cut;
      break;
    }
  }
  return shortest;
}
