import type { TimestampUnit } from '#libs/contracts';
import { notificationHeaders } from './notification-headers.js';
import { USER_AGENT } from './user-agent.js';

/** The credentials for signature and authorisation. */
interface SigningCredentials {
  readonly signingSecret: string;
  readonly username: string;
  readonly password: string;
}

/** The headers of a POST to a consumer, for a delivery or a test, signed for the time of sending. */
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
