import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';

/** A consumer's own certificates, as `checkAuthorities` and `checkClientCertificate` return them. Never log them. */
export interface ConsumerTls {
  /** PEM; trusted INSTEAD of the public authorities. */
  readonly caCertificate?: string | undefined;
  /** PEM with certificate chain and private key, presented for mutual TLS. */
  readonly clientCertificate?: string | undefined;
}

/**
 * The TLS context with a consumer's certificates; TLS 1.2 or newer.
 *
 * @throws Error when they cannot be used: not PEM, a key of another certificate, a weak signature.
 */
export function secureContextOf({ caCertificate, clientCertificate }: ConsumerTls): SecureContext {
  // Parsed for the error that it throws: OpenSSL accepts an invalid certificate and then trusts no server.
  if (caCertificate !== undefined) new X509Certificate(caCertificate).toString();
  return createSecureContext({
    minVersion: 'TLSv1.2',
    // A consumer may register an intermediate authority without its root.
    ...(caCertificate === undefined ? {} : { ca: caCertificate, allowPartialTrustChain: true }),
    ...(clientCertificate === undefined ? {} : { cert: clientCertificate, key: clientCertificate }),
  });
}

/** Why readable certificates cannot be used, or null. */
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
