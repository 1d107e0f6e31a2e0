import type { AlertEvent, AlertKind } from '#libs/contracts';
import type { Origin } from './issue-message.js';

/** An alert to a consumer's own people: instants and numbers, without a payment, a person or a secret. */
export interface AlertMessage {
  /** Of a test it begins with `TEST-`. */
  readonly alertId: string;
  readonly kind: AlertKind | 'test';
  readonly event: AlertEvent | 'test';
  readonly consumerName: string;
  readonly at: Date;
  readonly since: Date | null;
  readonly number: number | null;
  /** How many of its kind were not sent since the last one. */
  readonly earlier: number;
}

/** The words of an alert, for a consumer's own people, without anything internal. */
export function alertWords(
  alert: AlertMessage,
  publicUrl: string | null,
): { readonly subject: string; readonly text: string } {
  const [title, ...paragraphs] = wordsOf(alert);
  const { earlier } = alert;
  if (earlier > 0)
    paragraphs.push(`There were ${String(earlier)} earlier alerts of this kind that we did not send.`);
  if (publicUrl !== null) paragraphs.push(`${publicUrl}/portal`);
  paragraphs.push('Your company chose this alert in the portal, under Alerts.');
  return { subject: `${alert.consumerName}: ${title}`, text: `${paragraphs.join('\n\n')}\n` };
}

/** The body of a webhook. */
export function alertBody(alert: AlertMessage, { environment, publicUrl }: Origin): object {
  const { alertId, kind, event, at, since, number, earlier } = alert;
  return { environment, alertId, kind, event, at, since, number, earlier, ...alertWords(alert, publicUrl) };
}

/** The title and the text. */
function wordsOf({ event, at, since, number }: AlertMessage): [string, string] {
  const instant = at.toISOString();
  const began = since?.toISOString() ?? instant;
  const amount = String(number);
  switch (event) {
    case 'test':
      return [
        'a test message',
        'This is a test of your alerts. Nothing has happened, and there is nothing to do.',
      ];
    case 'down':
      return [
        'your server does not accept payment notifications',
        `Since ${instant} every payment notification to your server has failed. The portal shows your server’s answers. Nothing is lost: the notifications wait, and we send them when your server answers 2xx again.`,
      ];
    case 'recovered':
      return [
        'your server accepts payment notifications again',
        `Your server accepts payment notifications again. We are sending the ones that waited. It had not accepted any since ${began}.`,
      ];
    case 'credentials_scheduled':
      return [
        `version ${amount} of the credentials`,
        `From ${instant} on we use version ${amount} of your credentials. If nobody in your company expects this, please call your bank.`,
      ];
    case 'credentials_tomorrow':
      return [
        `the credentials change at ${instant}`,
        `From ${instant} on we use version ${amount} of your credentials. Please make sure that your server accepts them. In the portal you can send a test with them before.`,
      ];
    case 'replay_done':
      return [
        'what your people asked for again',
        `At ${began} your people asked us to send notifications again. At ${instant} we had found all of them: we send ${amount} notifications again.`,
      ];
  }
}
