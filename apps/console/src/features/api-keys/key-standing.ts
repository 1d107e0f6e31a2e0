import type { ApiKey } from './use-api-keys';

const SOON_MS = 14 * 86_400_000;

/** How a key stands: taken, taken but not for long (14 days), or refused. */
export type KeyStanding = 'live' | 'ends-soon' | 'expired' | 'revoked';

export function standingOf(
  { expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>,
  now: number,
): KeyStanding {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'live';
  const leftMs = new Date(expiresAt).getTime() - now;
  if (leftMs <= 0) return 'expired';
  return leftMs < SOON_MS ? 'ends-soon' : 'live';
}

/** Whether it still opens anything. */
export const isTaken = (standing: KeyStanding): boolean => standing === 'live' || standing === 'ends-soon';
