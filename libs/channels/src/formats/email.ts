import type { Announcement } from '../issue-message.js';

/** Subject and plain text of an e-mail. */
export function emailText({ title: subject, parts }: Announcement): {
  readonly subject: string;
  readonly text: string;
} {
  const texts = parts.map(({ title, lines, link }) =>
    [title, '', ...lines, ...(link === null ? [] : ['', link])].join('\n'),
  );
  return { subject, text: `${texts.join('\n\n---\n\n')}\n` };
}
