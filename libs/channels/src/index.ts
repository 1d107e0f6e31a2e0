export { ChannelSender, type Destination, type SendResult } from './channel-sender.js';
export type { IssueMessage, Origin } from './issue-message.js';
export { createMailer, type Mailer } from './mailer.js';
