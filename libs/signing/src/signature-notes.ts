import type { TimestampUnit } from '#libs/contracts';
import type { SignedParts } from './sign-notification.js';

/** What is known of a signature that somebody asks about. */
export interface SignatureFacts {
  readonly parts: SignedParts;
  readonly signature: string;
  /** The consumer's. */
  readonly unit: TimestampUnit;
  /** What the dispatcher signs and requests now. */
  readonly registeredUrl: string;
  /** The form in which the URL of the parts would be registered; null when it could not be. */
  readonly canonicalUrl: string | null;
  readonly credentialVersion: number;
  /** Null when none is in force. */
  readonly versionInForce: number | null;
  /** The beginning of the signature that an attempt really bore; null when nothing was sent. */
  readonly sentSignature: string | null;
}

/** Below this a Unix time in milliseconds would lie before 1973, and one in seconds after 5138. */
const LIKELY_MILLISECONDS = 100_000_000_000;

/** What to compare, and what stands out, in plain words: the usual causes of a mismatch, the likeliest first. */
export function signatureNotes(facts: SignatureFacts): string[] {
  return [
    ...sentNotes(facts),
    ...urlNotes(facts),
    ...bodyNotes(facts.parts.body),
    ...timestampNotes(facts),
    ...versionNotes(facts),
  ];
}

function sentNotes({ sentSignature, signature }: SignatureFacts): string[] {
  if (sentSignature === null) return [];
  return [
    signature.startsWith(sentSignature)
      ? `What was sent bears a signature that begins with ${sentSignature}, and so does the one computed here: this is what the consumer received.`
      : `What was sent bears a signature that begins with ${sentSignature}, and the one computed here does not: the stored notification or the secret is no longer what it was.`,
  ];
}

function urlNotes({ parts: { url }, registeredUrl, canonicalUrl, sentSignature }: SignatureFacts): string[] {
  const notes: string[] = [];
  if (canonicalUrl === null) {
    notes.push(
      'The URL given is none that could be registered; the signature here is over it as it was given.',
    );
  } else if (canonicalUrl !== url) {
    notes.push(
      `The URL given is not in canonical form, and is signed here as it was given; the dispatcher would sign ${canonicalUrl}.`,
    );
  }
  if (url === registeredUrl) {
    notes.push(
      'The URL is the registered one, to the last character; what a proxy makes of it is not signed.',
    );
  } else if (sentSignature === null) {
    notes.push(`The dispatcher signs the registered URL, ${registeredUrl}, and this is another.`);
  } else {
    notes.push(`The registered URL has changed since: it is ${registeredUrl} now.`);
  }
  return notes;
}

function bodyNotes(body: string): string[] {
  const bytes = Buffer.byteLength(body, 'utf8');
  const notes = [
    `The body is ${String(bytes)} bytes of UTF-8. The bytes are signed as they are sent, before anybody parses them.`,
  ];
  if (body.startsWith('\uFEFF')) notes.push('The body begins with a byte order mark, which is never sent.');
  if (/[\r\n]$/.test(body)) notes.push('The body ends with a line break, which is never sent.');
  const compact = compacted(body);
  if (compact === null) notes.push('The body is not JSON, which every notification is.');
  else if (compact !== body.trim()) {
    notes.push(
      'The body is not written as the dispatcher writes JSON: it was probably parsed and written again.',
    );
  }
  return notes;
}

function timestampNotes({ parts: { timestamp }, unit }: SignatureFacts): string[] {
  const value = Number(timestamp);
  const at = new Date(unit === 'seconds' ? value * 1_000 : value);
  const notes = [
    `The timestamp is Unix time in ${unit}${Number.isNaN(at.getTime()) ? '' : `: ${at.toISOString()}`}. Its digits are signed as they stand in x-timestamp.`,
  ];
  const likely: TimestampUnit = value < LIKELY_MILLISECONDS ? 'seconds' : 'milliseconds';
  if (likely !== unit) notes.push(`The timestamp looks like ${likely}, but this consumer’s unit is ${unit}.`);
  return notes;
}

function versionNotes({ credentialVersion, versionInForce }: SignatureFacts): string[] {
  if (credentialVersion === versionInForce) return [];
  return [
    `The key is the secret of version ${String(credentialVersion)}; in force is ${versionInForce === null ? 'none' : `version ${String(versionInForce)}`}.`,
  ];
}

function compacted(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return null;
  }
}
