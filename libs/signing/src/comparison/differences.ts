import type { SignatureForm } from './read-signature.js';

/** What the consumer does, as a sentence for each reason why its signature differs; `…` is replaced by a detail. */
const SENTENCES = {
  signature_blanks: 'The signature was given with blanks around it; x-signature has none.',
  signature_prefix: 'The signature has a prefix; x-signature has none.',
  signature_upper_case: 'The signature is in upper case; x-signature is in lower case.',
  signature_base64: 'The signature is in base64; x-signature is hexadecimal.',
  url_registered: 'The consumer signs the registered URL, not the one that was pasted.',
  url_canonical: 'The consumer signs the URL in its canonical form: host in lower case, no default port.',
  url_slash: 'The trailing slash of the URL’s path differs: the consumer adds one or leaves it out.',
  url_scheme:
    'The scheme of the URL differs: the consumer signs http:// for https://, or the reverse, as behind a proxy that ends TLS.',
  url_host_case: 'The consumer signs the URL with its host in capitals.',
  url_default_port: 'The consumer adds the default port to the host of the URL (:443 or :80).',
  url_without_query: 'The consumer leaves out the query of the URL (from the question mark on).',
  url_path_only: 'The consumer signs the path (and query) only, without scheme and host.',
  timestamp_milliseconds: 'The consumer signs the timestamp in milliseconds, not in seconds.',
  timestamp_seconds: 'The consumer signs the timestamp in seconds, not in milliseconds.',
  body_as_sent: 'The consumer signs the body as it was sent; the body that was pasted is another.',
  body_trimmed:
    'The consumer signs the body without the blanks, line breaks or byte order mark around the pasted one.',
  body_keys_sorted: 'The consumer parses the body and writes it again with its keys sorted.',
  body_compact: 'The consumer parses the body and writes it again without blanks.',
  body_spaced:
    'The consumer parses the body and writes it again with a blank after each comma and colon, as Python’s json.dumps does.',
  body_indented: 'The consumer parses the body and writes it again, indented by … blanks.',
  body_escaped: 'The consumer parses the body and writes every character beyond ASCII as \\uXXXX.',
  body_trailing_blank: 'The consumer signs the body with a blank after it.',
  body_trailing_break: 'The consumer signs the body with a line break after it (…).',
  body_byte_order_mark: 'The consumer signs the body with a byte order mark before it.',
  verb_missing: 'The consumer leaves out the verb.',
  verb_lower_case: 'The consumer signs the verb in lower case.',
  parts_order: 'The consumer puts the parts in another order: ….',
  other_version: 'The consumer signs with the secret of version ….',
  secret_trailing_break: 'The consumer’s secret ends with a line break (…) that was copied with it.',
  secret_from_hex:
    'The consumer decodes the secret from hexadecimal; its UTF-8 bytes are the key as they are.',
  secret_from_base64:
    'The consumer decodes the secret… from base64; the UTF-8 bytes of the whole secret are the key.',
} satisfies Record<SignatureForm, string> & Record<string, string>;

/** Reasons why a consumer's signature differs from the dispatcher's. */
export type VariationCode = keyof typeof SENTENCES;
export const VARIATION_CODES: readonly string[] = Object.keys(SENTENCES);

/** One thing that the consumer does differently, as a code and as a sentence without secrets and signatures. */
export interface Difference {
  readonly code: VariationCode;
  readonly words: string;
}
export const difference = (code: VariationCode, detail = ''): Difference => ({
  code,
  words: SENTENCES[code].replace('…', detail),
});
