import type { TimestampUnit } from '#libs/contracts';
import { notificationHeaders } from './notification-headers.js';
import { USER_AGENT } from './user-agent.js';

/** The part of a consumer's credentials that a notification is signed and authorised with. */
interface SigningCredentials {
  readonly signingSecret: string;
  readonly username: string;
  readonly password: string;
}

/** The headers of a POST to a consumer, whether it is a delivery's or a test: signed for the moment of sending. */
export const signedHeaders = (
  notification: { readonly url: string; readonly body: string; readonly timestampUnit: TimestampUnit },
  { signingSecret, username, password }: SigningCredentials,
  sentAtMs: number,
): Record<string, string> =>
  notificationHeaders({
    secret: signingSecret,
    username,
    password,
    url: notification.url,
    body: notification.body,
    atMs: sentAtMs,
    unit: notification.timestampUnit,
    userAgent: USER_AGENT,
  });
