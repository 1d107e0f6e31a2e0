import type { X509Certificate } from 'node:crypto';
import type { CertificateFacts } from '#libs/contracts';

/** Longer than real names: a server's certificate can hold any text. */
const MAX_NAME_LENGTH = 500;

/** The fields of a certificate that are shown, bounded and valid for PostgreSQL. @throws RangeError when its dates are invalid */
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

/** Node puts each part of a name on its own line. An empty name is undefined at run time, despite its type. */
const oneLine = (name: string | undefined): string =>
  (name ?? '')
    .replaceAll(/\p{Cc}+/gu, ', ')
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
