import type { Me } from './use-me';

const KEPT_AS = 'signed-in';

/** Why a session that nobody ended by signing out is over. */
const ENDS = {
  key: 'The key was revoked or has expired, or the session of 12 hours ended.',
  person: 'The session of one hour ended.',
} as const;

/** Remembers in this browser that somebody is signed in, to be able to say later that they were signed out. */
export const rememberSession = (me: Me): void =>
  window.localStorage.setItem(KEPT_AS, me.person === null ? 'key' : 'person');

export const forgetSession = (): void => window.localStorage.removeItem(KEPT_AS);

/** Why the sign-in page appears to somebody who was signed in; null to everybody else. */
export function whySignedOut(): string | null {
  const kind = window.localStorage.getItem(KEPT_AS);
  return kind === 'key' || kind === 'person' ? ENDS[kind] : null;
}
