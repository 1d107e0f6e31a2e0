import { createHmac, timingSafeEqual } from 'node:crypto';

/** Why a request must be refused; the codes are the same in every language. */
export type Refusal =
  | 'timestamp_missing'
  | 'timestamp_malformed'
  | 'timestamp_too_old'
  | 'timestamp_ahead'
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_wrong';

export interface NotificationRequest {
  /** As Node gives them, or a `Headers` object's entries; names in any case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly method: string;
  /** The URL as it was registered, not as a proxy changed it. */
  readonly url: string;
  /** The bytes as they arrived, before a framework parses them. */
  readonly rawBody: Uint8Array;
}

export interface Agreement {
  readonly secret: string;
  /** Unit of `x-timestamp`; seconds unless agreed otherwise. */
  readonly unit?: 'seconds' | 'milliseconds';
  /** Accepted age and lead of the timestamp, in seconds. */
  readonly toleranceSeconds?: number;
  /** The clock, in milliseconds since 1970; for tests. */
  readonly nowMs?: number;
}

/** Checks time and signature of a notification. @returns `ok`, or the reason of the refusal */
export function verifyNotification(request: NotificationRequest, agreement: Agreement): 'ok' | Refusal {
  const { secret, unit = 'seconds', toleranceSeconds = 300, nowMs = Date.now() } = agreement;
  const timestamp = headerOf(request, 'x-timestamp');
  const signature = headerOf(request, 'x-signature');
  if (timestamp === '') return 'timestamp_missing';
  if (!/^[0-9]{1,16}$/.test(timestamp)) return 'timestamp_malformed';
  if (signature === '') return 'signature_missing';
  if (!/^[0-9a-f]{64}$/.test(signature)) return 'signature_malformed';

  const ageMs = nowMs - Number(timestamp) * (unit === 'seconds' ? 1_000 : 1);
  if (ageMs > toleranceSeconds * 1_000) return 'timestamp_too_old';
  if (-ageMs > toleranceSeconds * 1_000) return 'timestamp_ahead';

  const expected = createHmac('sha256', secret)
    .update(request.method + request.url)
    .update(request.rawBody)
    .update(timestamp)
    .digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? 'ok' : 'signature_wrong';
}

function headerOf({ headers }: NotificationRequest, name: string): string {
  const [, value = ''] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value.join(', ');
}
