/** The public facts of an X.509 certificate. Instants are ISO 8601. */
export interface CertificateFacts {
  /** On one line, `CN=…, O=…`. */
  readonly subject: string;
  readonly issuer: string;
  /** Hexadecimal. */
  readonly serialNumber: string;
  /** SHA-256, hexadecimal in pairs with colons. */
  readonly fingerprint: string;
  readonly notBefore: string;
  readonly notAfter: string;
}

/** A client certificate as an operator gives it, in PEM. */
export interface ClientCertificate {
  /** The dispatcher's own certificate first, then those of its issuers. */
  readonly certificate: string;
  /** Without a passphrase. */
  readonly privateKey: string;
}

/**
 * Certificate faults in the words of an attempt's `detail`. Advice is chosen by these words.
 */
export const TLS_FAULTS = {
  serverExpired: 'certificate has expired',
  serverUntrusted: 'certificate comes from an unknown authority',
  serverSelfSigned: 'certificate is self-signed',
  serverOtherHost: 'certificate is for another host name',
  clientMissing: 'the server asks for a client certificate',
  clientExpired: 'the server refuses our client certificate: it has expired',
  clientRevoked: 'the server refuses our client certificate: it was revoked',
  clientUntrusted: 'the server refuses our client certificate: it does not know the authority',
  clientRefused: 'the server refuses our client certificate',
} as const;
