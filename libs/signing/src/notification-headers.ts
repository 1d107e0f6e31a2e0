import type { TimestampUnit } from '#libs/contracts';
import { signNotification } from './sign-notification.js';

/** Content, credentials and time of one attempt. */
export interface NotificationToSend {
  readonly secret: string;
  readonly username: string;
  readonly password: string;
  readonly url: string;
  readonly body: string;
  /** The time of sending, in milliseconds since 1970; different for every attempt. */
  readonly atMs: number;
  readonly unit: TimestampUnit;
  readonly userAgent: string;
}

/** `x-timestamp`: Unix time in the consumer's unit, rounded down. */
export function timestampAt(atMs: number, unit: TimestampUnit): string {
  switch (unit) {
    case 'seconds':
      return String(Math.floor(atMs / 1_000));
    case 'milliseconds':
      return String(Math.floor(atMs));
  }
}

/** The headers of a delivery (specification, "Webhook delivery"). Basic credentials are UTF-8 (RFC 7617). */
export function notificationHeaders(notification: NotificationToSend): Record<string, string> {
  const timestamp = timestampAt(notification.atMs, notification.unit);
  const { url, body, username, password } = notification;
  return {
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
    'x-timestamp': timestamp,
    'x-signature': signNotification(notification.secret, { url, body, timestamp }),
    'user-agent': notification.userAgent,
  };
}
