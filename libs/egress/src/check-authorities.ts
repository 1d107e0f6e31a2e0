import type { X509Certificate } from 'node:crypto';
import type { CertificateFacts } from '#libs/contracts';
import { certificateFacts } from './certificate-facts.js';
import { contextFault } from './consumer-tls.js';
import { pemCertificates, toPem } from './pem-certificates.js';

export type CheckedAuthorities =
  | { readonly ok: true; readonly pem: string; readonly certificates: readonly CertificateFacts[] }
  | { readonly ok: false; readonly message: string };

/**
 * The rule for a consumer's private authority: certificates in PEM, each of an authority or self-signed, none expired.
 *
 * @returns their PEM without any other text around it
 */
export function checkAuthorities(pem: string, now: Date): CheckedAuthorities {
  const read = pemCertificates(pem);
  if (!read.ok) return read;
  for (const [index, certificate] of read.certificates.entries()) {
    const fault = faultOf(certificate, now);
    if (fault !== null) return { ok: false, message: `certificate ${String(index + 1)} ${fault}` };
  }
  const kept = toPem(read.certificates);
  const fault = contextFault({ caCertificate: kept });
  if (fault !== null) return { ok: false, message: fault };
  return { ok: true, pem: kept, certificates: read.certificates.map(certificateFacts) };
}

function faultOf(certificate: X509Certificate, now: Date): string | null {
  if (!certificate.ca && !isSelfSigned(certificate)) {
    return 'is neither an authority’s nor self-signed: give the certificate of the authority that issued it';
  }
  const { validToDate } = certificate;
  return validToDate < now ? `has expired on ${validToDate.toISOString()}` : null;
}

function isSelfSigned(certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}
