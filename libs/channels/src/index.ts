export { ChannelSender, type Destination, type SendResult } from './channel-sender.js';
export type { AlertMessage } from './alert-message.js';
export type { IssueMessage, Origin } from './issue-message.js';
export type { IssueSummary } from './issue-summary.js';
export { createMailer, type Mailer } from './mailer.js';
