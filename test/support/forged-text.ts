import { signNotification } from '#libs/signing';

/** A text that the dispatcher never sent, with its valid signature. The api must not reveal that signature. */
export function forgedText(secret: string, url: string) {
  const text = { body: '{"notificationId":"forged"}', timestamp: '1700000000', url };
  return { ...text, signature: signNotification(secret, text) };
}
