import { createHmac, timingSafeEqual } from 'node:crypto';
import { VERB, type SignedParts } from '../sign-notification.js';
import { bodyVariations } from './body-variations.js';
import type { ReadSignature, SignatureForm } from './read-signature.js';
import { keyOf, secretVariations, type KnownSecret } from './secret-variations.js';
import { ORDER, textVariations } from './text-variations.js';
import { urlVariations } from './url-variations.js';
import type { SignedText, Variation, VariationCode, Varied } from './variation.js';

/** Most HMACs of a comparison. The base, single variations and pairs of a rich request are about 1,500. */
export const MAX_HMACS = 2_000;
/**
 * Most characters that a comparison hashes, except for the last text. A notification of 20 KB is compared in every variation,
 * one of 256 KiB in every single variation and in the first pairs.
 */
export const MAX_CHARACTERS = 67_108_864;

/** A signature of a consumer, and the text that it reports to have signed. */
export interface GivenSignature {
  readonly signature: ReadSignature;
  readonly parts: SignedParts;
  /** The URL that the dispatcher requests and signs now. */
  readonly registeredUrl: string;
  /** The bytes of the notification that the body names; null when it is not one of the consumer's. */
  readonly bodyAsSent: string | null;
  /** The version to compare with, one of `secrets`. */
  readonly credentialVersion: number;
  readonly secrets: readonly KnownSecret[];
}

/** One thing that the consumer does differently, as a code and as a sentence. */
export interface Difference {
  readonly code: VariationCode;
  readonly words: string;
}

/** The result of a comparison, without secrets and signatures. */
export type Comparison =
  | { readonly finding: 'match'; readonly credentialVersion: number; readonly differences: readonly [] }
  | {
      readonly finding: 'variation';
      readonly credentialVersion: number;
      readonly differences: readonly Difference[];
    }
  | { readonly finding: 'no_match'; readonly credentialVersion: number; readonly differences: readonly [] };

const FORMS: Readonly<Record<SignatureForm, string>> = {
  signature_blanks: 'The signature was given with blanks around it; x-signature has none.',
  signature_prefix: 'The signature has a prefix; x-signature has none.',
  signature_upper_case: 'The signature is in upper case; x-signature is in lower case.',
  signature_base64: 'The signature is in base64; x-signature is hexadecimal.',
};

/**
 * Finds the text and key of a signature: first the text as given, then each variation, then each pair of variations, within `MAX_HMACS` and `MAX_CHARACTERS`. Signatures are compared in constant
 * time, and computed ones are not returned.
 *
 * A generator, so that the caller can let other work run in between: it yields the characters hashed in each step.
 */
export function* compareSignature(given: GivenSignature): Generator<number, Comparison> {
  const { bytes, forms } = given.signature;
  const inForm = forms.map((code): Difference => ({ code, words: FORMS[code] }));
  let computed = 0;
  let hashed = 0;
  for (const { signed, differences } of candidates(given)) {
    if (computed >= MAX_HMACS || hashed >= MAX_CHARACTERS) break;
    computed += 1;
    const text = signed.order.map((part) => signed[part]).join('');
    if (timingSafeEqual(createHmac('sha256', signed.key).update(text, 'utf8').digest(), bytes)) {
      const all = [...differences, ...inForm];
      return all.length === 0
        ? { finding: 'match', credentialVersion: signed.version, differences: [] }
        : { finding: 'variation', credentialVersion: signed.version, differences: all };
    }
    hashed += text.length;
    yield text.length;
  }
  return { finding: 'no_match', credentialVersion: given.credentialVersion, differences: [] };
}

interface Candidate {
  readonly signed: SignedText;
  readonly differences: readonly Difference[];
}

/** The given text, then with one variation, then with two. */
function* candidates(given: GivenSignature): Generator<Candidate> {
  const base = baseOf(given);
  if (base === null) return;
  yield { signed: base, differences: [] };
  const variations = variationsOf(given);
  const singles: { readonly first: Variation; readonly one: Varied; readonly others: Variation[] }[] = [];
  for (const [index, first] of variations.entries()) {
    const one = first.vary(base);
    if (one === null) continue;
    singles.push({ first, one, others: variations.slice(index + 1) });
    yield { signed: one.signed, differences: [{ code: first.code, words: one.words }] };
  }
  for (const { first, one, others } of singles) {
    for (const second of others) {
      if (first.alternativeTo !== undefined && first.alternativeTo === second.alternativeTo) continue;
      const two = second.vary(one.signed);
      if (two === null) continue;
      yield {
        signed: two.signed,
        differences: [
          { code: first.code, words: one.words },
          { code: second.code, words: two.words },
        ],
      };
    }
  }
}

function baseOf({ parts, secrets, credentialVersion }: GivenSignature): SignedText | null {
  const secret = secrets.find(({ version }) => version === credentialVersion)?.secret;
  if (secret === undefined) return null;
  const { url, body, timestamp } = parts;
  return { verb: VERB, url, body, timestamp, order: ORDER, version: credentialVersion, key: keyOf(secret) };
}

/** The likeliest first, since the search stops at the first match. */
const variationsOf = ({ registeredUrl, bodyAsSent, secrets }: GivenSignature): Variation[] => [
  ...urlVariations(registeredUrl),
  ...bodyVariations(bodyAsSent),
  ...secretVariations(secrets),
  ...textVariations,
];
