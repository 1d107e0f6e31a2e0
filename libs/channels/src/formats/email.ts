import { headline, linesOf, linkOf, titleOf, type IssueMessage, type Origin } from '../issue-message.js';

/** Subject and plain text of an e-mail. */
export function emailText(
  messages: readonly IssueMessage[],
  origin: Origin,
): { readonly subject: string; readonly text: string } {
  const parts = messages.map((message) => {
    const link = linkOf(message, origin);
    return [titleOf(message), '', ...linesOf(message), ...(link === null ? [] : ['', link])].join('\n');
  });
  return { subject: headline(messages, origin), text: `${parts.join('\n\n---\n\n')}\n` };
}
