import { createHmac, timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { difference, type Difference } from './differences.js';
import {
  givenText,
  variationsOf,
  type GivenSignature,
  type SignedText,
  type Variation,
} from './variations.js';

/** Most HMACs of a comparison. The base, single variations and pairs of a rich request are about 1,500. */
export const MAX_HMACS = 2_000;
/**
 * Most characters that a comparison hashes, except for the last text. A notification of 20 KB is compared in every variation,
 * one of 256 KiB in every single variation and in the first pairs.
 */
export const MAX_CHARACTERS = 67_108_864;
/** Characters hashed before other requests get their turn: a few milliseconds of work. */
const AT_ONCE = 262_144;

/** The result of a comparison, without secrets and signatures. */
export interface Comparison {
  readonly finding: 'match' | 'variation' | 'no_match';
  /** The version whose secret is the key; for `no_match`, the requested one. */
  readonly credentialVersion: number;
  readonly differences: readonly Difference[];
}

/**
 * Finds the text and key of a signature: first the text as given, then each variation, then each pair of variations.
 * Signatures are compared in constant time, and computed ones are not returned.
 */
export async function compareSignature(given: GivenSignature): Promise<Comparison> {
  let hashed = 0;
  for (const { text, key, differences } of candidates(given)) {
    const computed = createHmac('sha256', key.bytes).update(text, 'utf8').digest();
    if (timingSafeEqual(computed, given.signature.bytes)) {
      const all = [...differences, ...given.signature.forms.map((form) => difference(form))];
      const finding = all.length === 0 ? 'match' : 'variation';
      return { finding, credentialVersion: key.version, differences: all };
    }
    hashed += text.length;
    if (hashed < AT_ONCE) continue;
    hashed = 0;
    await setImmediate();
  }
  return { finding: 'no_match', credentialVersion: given.credentialVersion, differences: [] };
}

/** A text with a key that may result in the signature. */
interface Candidate extends Pick<SignedText, 'key'> {
  readonly text: string;
  readonly differences: readonly Difference[];
}

/** The candidates of a comparison, the likeliest first, within `MAX_HMACS` and `MAX_CHARACTERS`. */
export function* candidates(given: GivenSignature): Generator<Candidate> {
  let characters = 0;
  let count = 0;
  for (const [signed, differences] of variedTexts(given)) {
    if (count >= MAX_HMACS || characters >= MAX_CHARACTERS) return;
    const text = signed.order.map((part) => signed[part]).join('');
    yield { text, key: signed.key, differences };
    count += 1;
    characters += text.length;
  }
}

/** The given text, then with one variation, then with two. */
function* variedTexts(given: GivenSignature): Generator<readonly [SignedText, readonly Difference[]]> {
  const base = givenText(given);
  if (base === null) return;
  yield [base, []];
  const tried: (Variation & { readonly single: SignedText | null })[] = [];
  for (const variation of variationsOf(given)) {
    const single = variation.vary(base);
    tried.push({ ...variation, single });
    if (single !== null) yield [single, [variation.difference]];
  }
  for (const [index, first] of tried.entries()) {
    for (const second of tried.slice(index + 1)) {
      if (first.single === null || first.difference.code === second.difference.code) continue;
      // Changes of different fields do not depend on each other; a large body is rewritten once.
      const both =
        first.field === second.field
          ? second.vary(first.single)
          : second.single && { ...first.single, [second.field]: second.single[second.field] };
      if (both !== null) yield [both, [first.difference, second.difference]];
    }
  }
}
