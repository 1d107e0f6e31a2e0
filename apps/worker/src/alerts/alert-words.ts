import type { DueAlert } from '#libs/database';

type Facts = Pick<DueAlert, 'event' | 'at' | 'since' | 'number' | 'consumer_name' | 'ids'>;

/** The words of an alert, for a consumer's own people, without anything internal. */
export function alertWords(alert: Facts, publicUrl: string | null): { subject: string; text: string } {
  const [title, ...paragraphs] = wordsOf(alert);
  const earlier = alert.ids.length - 1;
  if (earlier > 0)
    paragraphs.push(`There were ${String(earlier)} earlier alerts of this kind that we did not send.`);
  if (publicUrl !== null) paragraphs.push(`${publicUrl}/portal`);
  paragraphs.push('Your company chose this alert in the portal, under Alerts.');
  return { subject: `${alert.consumer_name}: ${title}`, text: `${paragraphs.join('\n\n')}\n` };
}

/** The title and the text. */
function wordsOf({ event, at, since, number }: Facts): [string, string] {
  const instant = at.toISOString();
  const began = since?.toISOString() ?? instant;
  const amount = String(number);
  switch (event) {
    case 'down':
      return [
        'your server does not accept payment notifications',
        `Since ${instant} every payment notification to your server has failed. The portal shows your server’s answers. Nothing is lost: the notifications wait, and we send them when your server answers 2xx again.`,
      ];
    case 'recovered':
      return [
        'your server accepts payment notifications again',
        `Since ${instant} your server accepts payment notifications again. We are sending the ones that waited. It had not accepted any since ${began}.`,
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
        'your replay has ended',
        `The replay that was started at ${began} ended at ${instant}. We send ${amount} notifications again.`,
      ];
  }
}
