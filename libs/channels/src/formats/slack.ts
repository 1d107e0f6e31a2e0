import { headline, linesOf, linkOf, titleOf, type IssueMessage, type Origin } from '../issue-message.js';
import { listLink, summaryLines, summaryTitle, type IssueSummary } from '../issue-summary.js';

/** Slack shows at most 50 blocks, and 3,000 characters in each. */
const MOST_CHARACTERS = 3_000;

/**
 * The body for an incoming webhook of Slack (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
 * `text` is for notifications; the blocks are shown in the channel.
 */
export function slackBody(messages: readonly IssueMessage[], origin: Origin): object {
  return {
    text: escaped(headline(messages, origin)),
    blocks: messages.map((message) => section(titleOf(message), linesOf(message), linkOf(message, origin))),
  };
}

/** The body about issues above the channel's limit. */
export function slackSummary(summary: IssueSummary, origin: Origin): object {
  const title = summaryTitle(summary, origin);
  return { text: escaped(title), blocks: [section(title, summaryLines(summary), listLink(origin))] };
}

function section(title: string, lines: readonly string[], link: string | null): object {
  const parts = [`*${escaped(title)}*`, ...lines.map(escaped)];
  const text = [...parts, ...(link === null ? [] : [`<${link}|Open in the console>`])].join('\n');
  return { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, MOST_CHARACTERS) } };
}

/** The control characters of mrkdwn; a name must not mention people or make links. */
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]/g, '\u200B$&');
