import type { TimestampUnit } from '#libs/contracts';
import type { SignedParts } from './sign-notification.js';

/** Facts about a text, of an attempt or pasted. */
interface TextFacts {
  readonly parts: SignedParts;
  /** The consumer's unit. */
  readonly unit: TimestampUnit;
  /** The URL that the dispatcher signs and requests now. */
  readonly registeredUrl: string;
}

/** Facts about the signature of an attempt. */
interface AttemptFacts {
  readonly signature: string;
  readonly credentialVersion: number;
  /** Null when none is in force. */
  readonly versionInForce: number | null;
  /** The beginning of the signature that the attempt was sent with. */
  readonly sentSignature: string | null;
}

/** A smaller value would be before 1973 in milliseconds; a larger one after 5138 in seconds. */
const LIKELY_MILLISECONDS = 100_000_000_000;

/**
 * What to compare, and what is unusual: the likeliest causes of a mismatch first.
 * @param attempt absent for a pasted text, whose notes do not depend on a secret
 */
export const signatureNotes = (text: TextFacts, attempt?: AttemptFacts): string[] => [
  ...(attempt === undefined ? [] : sentNotes(attempt)),
  urlNote(text, attempt !== undefined),
  ...bodyNotes(text.parts.body),
  ...timestampNotes(text),
  ...(attempt === undefined ? [] : versionNotes(attempt)),
];

function sentNotes({ sentSignature, signature }: AttemptFacts): string[] {
  if (sentSignature === null) return [];
  return [
    signature.startsWith(sentSignature)
      ? `What was sent bears a signature that begins with ${sentSignature}, and so does the one computed here: this is what was sent.`
      : `What was sent bears a signature that begins with ${sentSignature}, and the one computed here does not: the stored notification or the secret is no longer what it was.`,
  ];
}

function urlNote({ parts, registeredUrl }: TextFacts, wasSent: boolean): string {
  if (parts.url === registeredUrl)
    return 'The URL is the registered one, to the last character; a URL that a proxy has changed is not signed.';
  return wasSent
    ? `The registered URL has changed since: it is ${registeredUrl} now.`
    : `The dispatcher signs the registered URL, ${registeredUrl}, and the URL given is another.`;
}

function bodyNotes(body: string): string[] {
  const bytes = Buffer.byteLength(body, 'utf8');
  const notes = [
    `The body is ${String(bytes)} bytes of UTF-8. The bytes are signed as they are sent, before any parsing.`,
  ];
  if (body.startsWith('\uFEFF')) notes.push('The body begins with a byte order mark, which is never sent.');
  if (/[\r\n]$/.test(body)) notes.push('The body ends with a line break, which is never sent.');
  const compact = compacted(body);
  if (compact === null) notes.push('The body is not JSON, which every notification is.');
  else if (compact !== body.trim())
    notes.push(
      'The body is not written as the dispatcher writes JSON: it was probably parsed and written again.',
    );
  return notes;
}

/** A body as the dispatcher writes JSON; null for invalid JSON, or one that is nested too deeply. */
function compacted(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return null;
  }
}

function timestampNotes({ parts: { timestamp }, unit }: TextFacts): string[] {
  const value = Number(timestamp);
  const at = new Date(unit === 'seconds' ? value * 1_000 : value);
  const notes = [
    `The timestamp is Unix time in ${unit}${Number.isNaN(at.getTime()) ? '' : `: ${at.toISOString()}`}. Its digits are signed as they are in x-timestamp.`,
  ];
  const likely: TimestampUnit = value < LIKELY_MILLISECONDS ? 'seconds' : 'milliseconds';
  if (likely !== unit) notes.push(`The timestamp looks like ${likely}, but the consumer’s unit is ${unit}.`);
  return notes;
}

const versionNotes = ({ credentialVersion, versionInForce }: AttemptFacts): string[] =>
  credentialVersion === versionInForce
    ? []
    : [
        `The key is the secret of version ${String(credentialVersion)}; in force is ${versionInForce === null ? 'none' : `version ${String(versionInForce)}`}.`,
      ];
