import type { Schema } from '../../api';

const SOON_MS = 14 * 86_400_000;

/** The state of a key; `expires-soon` within 14 days. */
export type KeyState = 'active' | 'expires-soon' | 'expired' | 'revoked';

export function stateOf(
  { expiresAt, revokedAt }: Pick<Schema<'ApiKeyDto'>, 'expiresAt' | 'revokedAt'>,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  const leftMs = new Date(expiresAt).getTime() - now;
  if (leftMs <= 0) return 'expired';
  return leftMs < SOON_MS ? 'expires-soon' : 'active';
}
