import type { CertificateFacts, ClientCertificate, FieldFault } from '#libs/contracts';
import { checkAuthorities, checkClientCertificate } from '#libs/egress';

/** Certificates to keep: PEM, and what is shown of each. */
export interface ReadCertificates {
  readonly pem: string;
  readonly certificates: readonly CertificateFacts[];
}

/** `undefined`, not given, and `null`, none any more, stay what they are; so does what has faults, which are added. */
export function readAuthorities(
  given: string | null | undefined,
  faults: FieldFault[],
): ReadCertificates | null | undefined {
  if (given === undefined || given === null) return given;
  const checked = checkAuthorities(given, new Date());
  if (checked.ok) return checked;
  faults.push({ field: 'caCertificate', message: checked.message });
  return undefined;
}

/** The same of a client certificate. @param usedFrom when it comes into force */
export function readClientCertificate(
  given: ClientCertificate | null | undefined,
  usedFrom: Date,
  faults: FieldFault[],
): ReadCertificates | null | undefined {
  if (given === undefined || given === null) return given;
  const checked = checkClientCertificate(given, usedFrom);
  if (checked.ok) return checked;
  faults.push({ ...checked.fault, field: `clientCertificate.${checked.fault.field}` });
  return undefined;
}
