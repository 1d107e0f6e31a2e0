import type { CertificateFacts, ClientCertificate, FieldFault } from '#libs/contracts';
import { checkAuthorities, checkClientCertificate } from '#libs/egress';

/** Checked certificates to store: PEM text, and the facts that the API shows of each certificate. */
export interface ReadCertificates {
  readonly pem: string;
  readonly certificates: readonly CertificateFacts[];
}

/** Checks a private authority. @returns `undefined` or `null` as given; `undefined` after adding a fault */
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

/** Like `readAuthorities`, for a client certificate. @param usedFrom when it comes into force */
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
