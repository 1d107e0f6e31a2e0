import type { Announcement } from '../issue-message.js';

/**
 * The body for a workflow of Teams that starts “when a Teams webhook request is received”: a message with one Adaptive
 * Card (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using).
 */
export const teamsBody = ({ title, parts }: Announcement): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        fallbackText: title,
        body: parts.flatMap((part, index) => [
          block(escaped(part.title), { weight: 'Bolder', separator: index > 0 }),
          ...part.lines.map((line) => block(escaped(line))),
          ...(part.link === null ? [] : [block(`[Open in the console](${part.link})`)]),
        ]),
      },
    },
  ],
});

const block = (text: string, more: object = {}): object => ({ type: 'TextBlock', text, wrap: true, ...more });

/** Text blocks are Markdown; a name must not make links. */
const escaped = (text: string): string => text.replaceAll(/[\\[\]()*_`#]/g, String.raw`\$&`);
