import type { CertificateState } from '#libs/contracts';

/** Time before its end from which a certificate counts as expiring; enough to have another one issued. */
export const WATCH_BEFORE_MS = 30 * 86_400_000;

/** State of a certificate at a time. At `notAfter` itself it is still valid (RFC 5280, section 4.1.2.5). */
export function certificateState(notAfter: Date, now: Date): CertificateState {
  const leftMs = notAfter.getTime() - now.getTime();
  if (leftMs < 0) return 'expired';
  return leftMs <= WATCH_BEFORE_MS ? 'expiring' : 'valid';
}
