import type { SignInLinkState } from '#libs/contracts';
import type { SignInLinkRow } from '#libs/database';
import { viewOf } from '../../../http/view-of.js';
import { SignInLinkDto } from './sign-in-link.dto.js';

/** A sign-in link in the API's form. */
export const signInLinkView = (row: SignInLinkRow, now: Date): SignInLinkDto =>
  viewOf(SignInLinkDto, row, { state: stateOf(row, now) });

/** The state of a link at an instant. */
export function stateOf(
  { revoked_at, used_at, expires_at }: Pick<SignInLinkRow, 'revoked_at' | 'used_at' | 'expires_at'>,
  now: Date,
): SignInLinkState {
  if (revoked_at !== null) return 'revoked';
  if (used_at !== null) return 'used';
  return expires_at > now ? 'unused' : 'expired';
}
