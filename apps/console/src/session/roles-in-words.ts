import type { Schema } from '../api/schema';

/** What each role may do. */
export const ROLES_IN_WORDS: Readonly<Record<Schema<'ApiKeyDto'>['roles'][number], string>> = {
  viewer: 'Reads everything except the audit log and the API keys. Changes nothing.',
  oncall: 'Viewer, and also: retry, cancel, replay, pause, resume, test.',
  operator: 'On-call, and also: register, change and remove consumers and their credentials.',
  admin: 'Everything, including the audit log and the API keys.',
  producer: 'Posts status changes and reads the payments that it posted.',
  consumer: 'Reads its own notifications of the last 90 days.',
};
