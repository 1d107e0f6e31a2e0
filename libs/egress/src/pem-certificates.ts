import { X509Certificate } from 'node:crypto';

export type PemCertificates =
  | { readonly ok: true; readonly certificates: readonly [X509Certificate, ...X509Certificate[]] }
  | { readonly ok: false; readonly message: string };

/** More than any chain needs. */
const MOST = 10;
const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----[^-]*-----END \1-----/g;

/**
 * Reads the certificates of a PEM text. Text around the blocks, as openssl prints it, is ignored; other blocks are refused.
 * The fault repeats nothing of the text.
 */
export function pemCertificates(pem: string): PemCertificates {
  if (pem.includes('PRIVATE KEY-----')) return refuse('must not hold a private key');
  const blocks = [...pem.matchAll(BLOCK)];
  if (blocks.length === 0 || blocks.some(([, label]) => label !== 'CERTIFICATE')) {
    return refuse(
      'must be certificates in PEM: -----BEGIN CERTIFICATE-----, base64, -----END CERTIFICATE-----',
    );
  }
  if (blocks.length > MOST) return refuse(`must hold at most ${String(MOST)} certificates`);
  const certificates: X509Certificate[] = [];
  for (const [index, [block]] of blocks.entries()) {
    try {
      certificates.push(new X509Certificate(block));
    } catch {
      return refuse(`certificate ${String(index + 1)} cannot be read`);
    }
  }
  const [first, ...others] = certificates;
  return first === undefined
    ? refuse('must hold a certificate')
    : { ok: true, certificates: [first, ...others] };
}

/** The certificates alone, in PEM. */
export const toPem = (certificates: readonly X509Certificate[]): string =>
  certificates.map((certificate) => certificate.toString()).join('');

const refuse = (message: string): PemCertificates => ({ ok: false, message });
