import { headline, linesOf, linkOf, titleOf, type IssueMessage, type Origin } from '../issue-message.js';
import { listLink, summaryLines, summaryTitle, type IssueSummary } from '../issue-summary.js';

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

/** Subject and plain text of an e-mail about issues above the channel's limit. */
export function emailSummary(
  summary: IssueSummary,
  origin: Origin,
): { readonly subject: string; readonly text: string } {
  const subject = summaryTitle(summary, origin);
  const link = listLink(origin);
  return {
    subject,
    text: `${[subject, '', ...summaryLines(summary), ...(link === null ? [] : ['', link])].join('\n')}\n`,
  };
}
