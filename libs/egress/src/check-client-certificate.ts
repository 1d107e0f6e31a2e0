import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import type { CertificateFacts, ClientCertificate, FieldFault } from '#libs/contracts';
import { certificateFacts } from './certificate-facts.js';
import { contextFault } from './consumer-tls.js';
import { pemCertificates, toPem } from './pem-certificates.js';

export type CheckedClientCertificate =
  /** `pem`: the chain and the private key in one text, to be encrypted. */
  | { readonly ok: true; readonly pem: string; readonly certificates: readonly CertificateFacts[] }
  /** `field`: of the given certificate. */
  | { readonly ok: false; readonly fault: FieldFault };

/** Extended key usages (RFC 5280, section 4.2.1.12): client authentication, and any. */
const FOR_CLIENTS = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);

/**
 * The rule for a client certificate: a chain in PEM from the dispatcher's own certificate upwards, valid when it comes into
 * force, and its private key without a passphrase. A fault repeats nothing of either.
 *
 * @param usedFrom when it comes into force
 */
export function checkClientCertificate(
  { certificate, privateKey }: ClientCertificate,
  usedFrom: Date,
): CheckedClientCertificate {
  const read = pemCertificates(certificate);
  if (!read.ok) return refuse('certificate', read.message);
  const fault = chainFault(read.certificates, usedFrom);
  if (fault !== null) return refuse('certificate', fault);
  if (privateKey.includes('ENCRYPTED')) {
    return refuse(
      'privateKey',
      'must not be encrypted with a passphrase: openssl pkey -in key.pem removes it',
    );
  }
  const key = readKey(privateKey);
  if (key === null) return refuse('privateKey', 'must be a private key in PEM (PKCS#8, PKCS#1 or SEC1)');
  if (!read.certificates[0].checkPrivateKey(key)) {
    return refuse('privateKey', 'belongs to another certificate than the first one in certificate');
  }
  const pem = toPem(read.certificates) + key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const unusable = contextFault({ clientCertificate: pem });
  if (unusable !== null) return refuse('certificate', unusable);
  return { ok: true, pem, certificates: read.certificates.map(certificateFacts) };
}

function chainFault(chain: readonly [X509Certificate, ...X509Certificate[]], usedFrom: Date): string | null {
  const [own] = chain;
  // Undefined at run time, despite its type, when the certificate does not restrict its use.
  const usages: readonly string[] | undefined = own.keyUsage;
  if (usages !== undefined && !usages.some((usage) => FOR_CLIENTS.has(usage))) {
    return 'certificate 1 is not for client authentication (its extended key usage)';
  }
  for (const [index, certificate] of chain.entries()) {
    const name = `certificate ${String(index + 1)}`;
    if (certificate.validToDate < usedFrom) {
      return `${name} ends on ${certificate.validToDate.toISOString()}, before it is used`;
    }
    if (certificate.validFromDate > usedFrom) {
      return `${name} holds from ${certificate.validFromDate.toISOString()} only, after its first use`;
    }
    const issuer = chain[index + 1];
    if (issuer !== undefined && !certificate.checkIssued(issuer)) {
      return `${name} was not issued by the next one: begin with the dispatcher's own, each followed by its issuer`;
    }
  }
  return null;
}

function readKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

const refuse = (field: 'certificate' | 'privateKey', message: string): CheckedClientCertificate => ({
  ok: false,
  fault: { field, message },
});
