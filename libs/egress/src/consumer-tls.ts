import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';

/** A consumer's own certificates. Holds a private key: never log it. */
export interface ConsumerTls {
  /** PEM; trusted INSTEAD of the public authorities. */
  readonly caCertificate?: string | undefined;
  /** PEM with certificate chain and private key, presented for mutual TLS. */
  readonly clientCertificate?: string | undefined;
}

/**
 * Makes them ready for use. TLS 1.2 at least.
 *
 * @throws Error when a PEM cannot be read or key and certificate do not belong together. OpenSSL alone would
 *   take a CA certificate that is none, and trust nobody.
 */
export function secureContextOf({ caCertificate, clientCertificate }: ConsumerTls): SecureContext {
  // Parsed for the error that it throws.
  if (caCertificate !== undefined) new X509Certificate(caCertificate).toString();
  if (clientCertificate !== undefined) {
    const certificate = new X509Certificate(clientCertificate);
    if (!certificate.checkPrivateKey(createPrivateKey(clientCertificate))) {
      throw new Error('the private key belongs to another certificate');
    }
  }
  return createSecureContext({
    minVersion: 'TLSv1.2',
    ...(caCertificate === undefined ? {} : { ca: caCertificate }),
    ...(clientCertificate === undefined ? {} : { cert: clientCertificate, key: clientCertificate }),
  });
}

/**
 * The rule for certificates at registration.
 *
 * @returns what is wrong, or null. Nothing of the PEM is repeated.
 */
export function checkConsumerTls(tls: ConsumerTls): string | null {
  try {
    secureContextOf(tls);
    return null;
  } catch {
    return 'must be PEM that can be read; a client certificate needs its private key in the same text';
  }
}
