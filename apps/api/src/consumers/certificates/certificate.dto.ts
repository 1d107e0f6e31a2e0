import {
  CERTIFICATE_STATES,
  CERTIFICATE_USES,
  Text,
  type CertificateState,
  type CertificateUse,
} from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';

/** What the dispatcher presents to a consumer that asks for it (mutual TLS). */
export class ClientCertificateDto {
  /** PEM: the dispatcher's own certificate first, then its issuers. */
  @Text({ min: 1, max: 32_768, schema: { example: '-----BEGIN CERTIFICATE-----\n…' } })
  certificate!: string;

  /** PEM without a passphrase. Sealed at once and never readable again. */
  @Text({ min: 1, max: 16_384, schema: { example: '-----BEGIN PRIVATE KEY-----\n…' } })
  privateKey!: string;
}

/** What may be seen of a certificate. */
export class CertificateDto {
  @ApiProperty({ example: 'CN=dispatcher, O=The Bank' })
  subject!: string;

  @ApiProperty()
  issuer!: string;

  /** Hexadecimal. */
  @ApiProperty()
  serialNumber!: string;

  /** SHA-256. */
  @ApiProperty()
  fingerprint!: string;

  @ApiProperty({ format: 'date-time' })
  notBefore!: string;

  @ApiProperty({ format: 'date-time' })
  notAfter!: string;

  /** `expiring`: within 30 days. */
  @ApiProperty({ enum: CERTIFICATE_STATES })
  state!: CertificateState;
}

/** A certificate that a consumer's deliveries depend on now. */
export class CertificateInUseDto extends CertificateDto {
  /** `client`: what we present; `authority`: its private one; `server`: what its server presented last. */
  @ApiProperty({ enum: CERTIFICATE_USES })
  use!: CertificateUse;

  /** When its server began to present it; null for certificates that were registered. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  seenAt!: string | null;
}
