import type { Announcement, Part } from '../issue-message.js';

/** Slack shows at most 50 blocks, and 3,000 characters in each. */
const MOST_CHARACTERS = 3_000;

/**
 * The body for an incoming webhook of Slack (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
 * `text` is for notifications; the blocks are shown in the channel.
 */
export function slackBody({ title, parts }: Announcement): object {
  return { text: escaped(title), blocks: parts.map(section) };
}

function section({ title, lines, link }: Part): object {
  const shown = [`*${escaped(title)}*`, ...lines.map(escaped)];
  const text = [...shown, ...(link === null ? [] : [`<${link}|Open in the console>`])].join('\n');
  return { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, MOST_CHARACTERS) } };
}

/** The control characters of mrkdwn; a name must not mention people or make links. */
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]/g, '\u200B$&');
