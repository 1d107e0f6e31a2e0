import { headline, linesOf, linkOf, titleOf, type IssueMessage, type Origin } from '../issue-message.js';
import { listLink, summaryLines, summaryTitle, type IssueSummary } from '../issue-summary.js';

/**
 * The body for a workflow of Teams that starts “when a Teams webhook request is received”: a message with one Adaptive
 * Card (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using).
 */
export const teamsBody = (messages: readonly IssueMessage[], origin: Origin): object =>
  card(
    headline(messages, origin),
    messages.flatMap((message, index) =>
      section(titleOf(message), linesOf(message), linkOf(message, origin), index > 0),
    ),
  );

/** The body about issues above the channel's limit. */
export function teamsSummary(summary: IssueSummary, origin: Origin): object {
  const title = summaryTitle(summary, origin);
  return card(title, section(title, summaryLines(summary), listLink(origin), false));
}

const card = (fallbackText: string, body: readonly object[]): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        fallbackText,
        body,
      },
    },
  ],
});

const section = (
  title: string,
  lines: readonly string[],
  link: string | null,
  separator: boolean,
): object[] => [
  { type: 'TextBlock', text: escaped(title), weight: 'Bolder', wrap: true, separator },
  ...lines.map((line) => ({ type: 'TextBlock', text: escaped(line), wrap: true })),
  ...linkBlock(link),
];

const linkBlock = (link: string | null): object[] =>
  link === null ? [] : [{ type: 'TextBlock', text: `[Open in the console](${link})`, wrap: true }];

/** Text blocks are Markdown; a name must not make links. */
const escaped = (text: string): string => text.replaceAll(/[\\[\]()*_`#]/g, String.raw`\$&`);
