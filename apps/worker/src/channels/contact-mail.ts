import type { DueMessage } from '#libs/database';

/**
 * The mail to a consumer's own contact: that its server does not accept notifications, or does again. In words for the
 * consumer, without anything internal.
 */
export function contactMail({ event, opened_at, consumer_name }: DueMessage): {
  subject: string;
  text: string;
} {
  const name = consumer_name ?? 'your system';
  const since = opened_at.toISOString();
  return event === 'resolved'
    ? {
        subject: `${name}: your server receives payment notifications again`,
        text: `Your server accepts payment notifications again. The ones that waited are being sent in order.\n\nIt had not accepted any since ${since}.\n`,
      }
    : {
        subject: `${name}: your server does not accept payment notifications`,
        text: `Since ${since} every payment notification to your server has failed.\n\nPlease check that it is reachable, that its certificate is valid, and that it accepts our credentials and signatures. Nothing is lost: the notifications wait, and are sent in order as soon as your server answers 2xx.\n\nIf you need help, please contact your bank.\n`,
      };
}
