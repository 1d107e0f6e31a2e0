import { headline, linesOf, linkOf, titleOf, type IssueMessage, type Origin } from '../issue-message.js';

/**
 * The body for a workflow of Teams that starts “when a Teams webhook request is received”: a message with one Adaptive
 * Card (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using).
 */
export function teamsBody(messages: readonly IssueMessage[], origin: Origin): object {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: headline(messages, origin),
          body: messages.flatMap((message, index) => [
            {
              type: 'TextBlock',
              text: escaped(titleOf(message)),
              weight: 'Bolder',
              wrap: true,
              separator: index > 0,
            },
            ...linesOf(message).map((line) => ({ type: 'TextBlock', text: escaped(line), wrap: true })),
            ...linkBlock(linkOf(message, origin)),
          ]),
        },
      },
    ],
  };
}

const linkBlock = (link: string | null): object[] =>
  link === null ? [] : [{ type: 'TextBlock', text: `[Open in the console](${link})`, wrap: true }];

/** Text blocks are Markdown; a name must not make links. */
const escaped = (text: string): string => text.replaceAll(/[\\[\]()*_`#]/g, String.raw`\$&`);
