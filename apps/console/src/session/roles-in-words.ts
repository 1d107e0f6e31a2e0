import type { Schema } from '../api/schema';

export type GrantedRole = Schema<'ApiKeyDto'>['roles'][number];

/** What each role may do. */
export const ROLES_IN_WORDS: Readonly<Record<GrantedRole, string>> = {
  viewer: 'Looks at everything but the audit log and the keys; changes nothing.',
  oncall: 'What a viewer may, and retries, cancels, replays, pauses, resumes and tests.',
  operator: 'What oncall may, and registers, changes and removes consumers and their credentials.',
  admin: 'Everything: also the audit log, and the API keys.',
  producer: 'Posts status changes, and reads the payments that it posted.',
  consumer: 'Reads its own notifications of the last 90 days.',
};
