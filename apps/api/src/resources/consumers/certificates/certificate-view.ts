import type { CertificateFacts } from '#libs/contracts';
import type { CertificateInUse } from '#libs/database';
import { certificateState } from '#libs/policy';
import type { CertificateDto, CertificateInUseDto } from './certificate.dto.js';

/** A certificate in the API's form, with its current state. */
export const certificateView = (facts: CertificateFacts): CertificateDto => ({
  subject: facts.subject,
  issuer: facts.issuer,
  serialNumber: facts.serialNumber,
  fingerprint: facts.fingerprint,
  notBefore: facts.notBefore,
  notAfter: facts.notAfter,
  state: certificateState(new Date(facts.notAfter), new Date()),
});

export const certificateInUseView = ({
  use,
  certificate,
  seenAt,
}: CertificateInUse): CertificateInUseDto => ({
  ...certificateView(certificate),
  use,
  seenAt: seenAt?.toISOString() ?? null,
});
