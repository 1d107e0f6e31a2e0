import { signNotification } from '#libs/signing';

/** A text that is no notification, for which somebody on call might want a signature, and the right one. */
export function forgedText(secret: string, url: string) {
  const text = { body: '{"notificationId":"forged"}', timestamp: '1700000000', url };
  return { ...text, signature: signNotification(secret, text) };
}
