import type { X509Certificate } from 'node:crypto';
import type { CertificateFacts } from '#libs/contracts';

/** Longer than honest names are; a server writes into its certificate what it likes. */
const MAX_NAME_LENGTH = 500;

/** What is shown of a certificate, bounded and fit for PostgreSQL. @throws RangeError when its times are none */
export function certificateFacts(certificate: X509Certificate): CertificateFacts {
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    serialNumber: certificate.serialNumber.slice(0, MAX_NAME_LENGTH),
    fingerprint: certificate.fingerprint256,
    notBefore: certificate.validFromDate.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
  };
}

/** Node gives each part of a name a line of its own; an empty name comes as undefined, whatever its type says. */
const oneLine = (name: string | undefined): string =>
  (name ?? '')
    .replaceAll(/\p{Cc}+/gu, ', ')
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
