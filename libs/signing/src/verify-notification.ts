import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { TimestampUnit } from '#libs/contracts';

/** A request that a consumer received. */
export interface ReceivedNotification {
  /** The signing secret. */
  readonly secret: string;
  /** The registered URL as the dispatcher shows it, not as a proxy changed it. */
  readonly url: string;
  /** The received body, not parsed. */
  readonly rawBody: string | Uint8Array;
  /** The value of `x-timestamp`; undefined when the header is missing. */
  readonly timestamp: string | undefined;
  /** The value of `x-signature`. */
  readonly signature: string | undefined;
  readonly unit: TimestampUnit;
  /** The consumer's clock, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Accepted age or lead of a timestamp in seconds; 300 by default. */
  readonly toleranceSeconds?: number;
}

/** Why a notification must be rejected. */
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
 * A consumer's check of every notification (specification, "Authentication" and "Errors", 1): the timestamp is at most 300 s
 * old or ahead (exactly 300 s is accepted), and the signature matches the secret, the registered URL, the received bytes and
 * the timestamp, compared in constant time.
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

/** Age of a timestamp in milliseconds; negative: it is ahead. */
function age(timestamp: number, unit: TimestampUnit, nowMs: number): number {
  switch (unit) {
    case 'seconds':
      return nowMs - timestamp * 1_000;
    case 'milliseconds':
      return nowMs - timestamp;
  }
}

/** Whether an `Authorization` header holds these Basic credentials, in constant time. */
export function verifyBasic(authorization: string | undefined, username: string, password: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  const expected = `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
  return timingSafeEqual(digest(authorization ?? ''), digest(expected));
}

const fault = (reason: VerificationFault): Verification => ({ ok: false, fault: reason });
