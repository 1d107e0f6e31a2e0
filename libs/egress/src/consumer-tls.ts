import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';

/** A consumer's own certificates, as `checkAuthorities` and `checkClientCertificate` made them. Never log it. */
export interface ConsumerTls {
  /** PEM; trusted INSTEAD of the public authorities. */
  readonly caCertificate?: string | undefined;
  /** PEM with certificate chain and private key, presented for mutual TLS. */
  readonly clientCertificate?: string | undefined;
}

/**
 * Makes them ready for use. TLS 1.2 at least.
 *
 * @throws Error when they cannot be used: not PEM, a key of another certificate, a signature that is too weak.
 */
export function secureContextOf({ caCertificate, clientCertificate }: ConsumerTls): SecureContext {
  // Parsed for the error that it throws: OpenSSL would take one that is none, and trust nobody.
  if (caCertificate !== undefined) new X509Certificate(caCertificate).toString();
  return createSecureContext({
    minVersion: 'TLSv1.2',
    // A consumer may name an authority below its root, and nothing above it is asked for then.
    ...(caCertificate === undefined ? {} : { ca: caCertificate, allowPartialTrustChain: true }),
    ...(clientCertificate === undefined ? {} : { cert: clientCertificate, key: clientCertificate }),
  });
}

/** Why certificates that can be read cannot be used, or null. */
export function contextFault(tls: ConsumerTls): string | null {
  try {
    secureContextOf(tls);
    return null;
  } catch (error) {
    const code =
      typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'no code';
    return `cannot be used with TLS (${code}): its key or signature may be too weak`;
  }
}
