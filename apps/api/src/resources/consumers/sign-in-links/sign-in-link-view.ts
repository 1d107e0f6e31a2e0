import type { SignInLinkState } from '#libs/contracts';
import type { SignInLinkRow } from '#libs/database';
import type { SignInLinkDto } from './sign-in-link.dto.js';

/** A sign-in link in the API's form. */
export const signInLinkView = (row: SignInLinkRow, now: Date): SignInLinkDto => ({
  id: row.id,
  name: row.name,
  state: stateOf(row, now),
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  usedAt: row.used_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
});

function stateOf({ revoked_at, used_at, expires_at }: SignInLinkRow, now: Date): SignInLinkState {
  if (revoked_at !== null) return 'revoked';
  if (used_at !== null) return 'used';
  return expires_at > now ? 'unused' : 'expired';
}
