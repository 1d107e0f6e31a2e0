import { Text, type CertificateState, type CertificateUse, type Instant } from '#libs/contracts';

/** The client certificate that the dispatcher presents to a consumer that requests one (mutual TLS). */
export class ClientCertificateDto {
  /** PEM: the dispatcher's own certificate first, then its issuers. */
  @Text({ min: 1, max: 32_768, schema: { example: '-----BEGIN CERTIFICATE-----\n…' } })
  certificate!: string;

  /** PEM without a passphrase. Encrypted at once; the API never returns it. */
  @Text({ min: 1, max: 16_384, schema: { example: '-----BEGIN PRIVATE KEY-----\n…' } })
  privateKey!: string;
}

/** The public facts of a certificate. */
export class CertificateDto {
  /** @example "CN=dispatcher, O=The Bank" */
  subject!: string;
  issuer!: string;
  /** Hexadecimal. */
  serialNumber!: string;
  /** SHA-256. */
  fingerprint!: string;
  notBefore!: Instant;
  notAfter!: Instant;
  /** `expiring`: it expires within 30 days. */
  state!: CertificateState;
}

/** A certificate that a consumer's deliveries depend on now. */
export class CertificateInUseDto extends CertificateDto {
  /** `client`: the dispatcher's; `authority`: the consumer's private authority; `server`: its server's last one. */
  use!: CertificateUse;
  /** Since when the consumer's server has presented it; null for registered certificates. */
  seenAt!: Instant | null;
}
