import type { TimestampUnit } from '#libs/contracts';
import { notificationHeaders } from '#libs/signing';
import type { Credentials } from '#libs/vault';
import { USER_AGENT } from '../user-agent.js';

/** The headers of a POST to a consumer, whether it is a delivery's or a test: signed for the moment of sending. */
export const signedHeaders = (
  notification: { readonly url: string; readonly body: string; readonly timestampUnit: TimestampUnit },
  { signingSecret, username, password }: Credentials,
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
