import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { TimestampUnit } from '#libs/contracts';

/** A received request, as a consumer has it. */
export interface ReceivedNotification {
  /** The signing secret that was agreed at onboarding. */
  readonly secret: string;
  /** The URL that was registered, as the dispatcher shows it; not what a proxy made of it. */
  readonly url: string;
  /** The body as it arrived, before any parsing. */
  readonly rawBody: string | Uint8Array;
  /** The value of `x-timestamp`; undefined when the header is missing. */
  readonly timestamp: string | undefined;
  /** The value of `x-signature`. */
  readonly signature: string | undefined;
  readonly unit: TimestampUnit;
  /** The consumer's clock, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Age, or lead, up to which a timestamp is taken, in seconds: 300 unless told. */
  readonly toleranceSeconds?: number;
}

/** Why a notification must not be believed. */
export type VerificationFault =
  | 'timestamp_missing'
  | 'timestamp_malformed'
  | 'timestamp_too_old'
  | 'timestamp_ahead'
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_wrong';

export type Verification = { readonly ok: true } | { readonly ok: false; readonly fault: VerificationFault };

/**
 * The check that a consumer makes of every notification (specification, "Authentication" and "Errors", 1): the
 * timestamp is at most 300 s old or ahead (exactly 300 s passes), and the signature is the one that the secret
 * gives for the registered URL, these very bytes and this timestamp, compared in constant time.
 */
export function verifyNotification(received: ReceivedNotification): Verification {
  const { timestamp, signature } = received;
  if (timestamp === undefined || timestamp === '') return fault('timestamp_missing');
  if (!/^\d{1,16}$/.test(timestamp)) return fault('timestamp_malformed');
  if (signature === undefined || signature === '') return fault('signature_missing');
  if (!/^[0-9a-f]{64}$/.test(signature)) return fault('signature_malformed');

  const toleranceMs = (received.toleranceSeconds ?? 300) * 1_000;
  const ageMs = age(Number(timestamp), received.unit, received.nowMs);
  if (ageMs > toleranceMs) return fault('timestamp_too_old');
  if (-ageMs > toleranceMs) return fault('timestamp_ahead');

  const expected = createHmac('sha256', Buffer.from(received.secret, 'utf8'))
    .update(`POST${received.url}`, 'utf8')
    .update(received.rawBody)
    .update(timestamp, 'utf8')
    .digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? { ok: true } : fault('signature_wrong');
}

/** How old a timestamp is, in milliseconds; negative: it lies ahead. */
function age(timestamp: number, unit: TimestampUnit, nowMs: number): number {
  switch (unit) {
    case 'seconds':
      return nowMs - timestamp * 1_000;
    case 'milliseconds':
      return nowMs - timestamp;
  }
}

/** Whether an `Authorization` header holds these Basic credentials; constant in time whatever was sent. */
export function verifyBasic(authorization: string | undefined, username: string, password: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  const expected = `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
  return timingSafeEqual(digest(authorization ?? ''), digest(expected));
}

const fault = (reason: VerificationFault): Verification => ({ ok: false, fault: reason });
