import type { CertificateState } from '#libs/contracts';

/** A certificate is shown as expiring from so long before its end: time enough to have another one issued. */
export const WATCH_BEFORE_MS = 30 * 86_400_000;

/** How a certificate stands at a moment. At its very `notAfter` it is still good (RFC 5280, section 4.1.2.5). */
export function certificateState(notAfter: Date, now: Date): CertificateState {
  const leftMs = notAfter.getTime() - now.getTime();
  if (leftMs < 0) return 'expired';
  return leftMs <= WATCH_BEFORE_MS ? 'expiring' : 'valid';
}
