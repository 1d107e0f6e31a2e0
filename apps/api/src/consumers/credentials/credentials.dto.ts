import { CREDENTIAL_STATES, Nested, Truth, type CredentialState } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { ComingInstant } from '../../http/coming-instant.js';
import { CertificateDto, ClientCertificateDto } from '../certificates/certificate.dto.js';
import { BasicPassword, BasicUsername, SigningSecret } from '../credential-rules.js';

/** `POST /v1/consumers/:id/credentials`: at least one part; what is absent stays as it is now. */
export class AddCredentialsDto {
  /** HMAC key, as agreed with the consumer. Not together with `generateSecret`. */
  @SigningSecret()
  signingSecret?: string;

  /** No colon and no control characters (RFC 7617). */
  @BasicUsername({ optional: true })
  username?: string;

  /** Sealed at once and never readable again. */
  @BasicPassword({ optional: true })
  password?: string;

  /** For a consumer that asks for one. Null: none any more. */
  @Nested(() => ClientCertificateDto, { optional: true, nullable: true })
  clientCertificate?: ClientCertificateDto | null;

  /** The instant from which they hold for every attempt. Absent: now. */
  @ComingInstant()
  activateAt?: string;

  /** Makes a signing secret of 256 random bits, shown in this one answer. */
  @Truth({ optional: true, schema: { default: false } })
  generateSecret?: boolean;
}

/** One version of a consumer's credentials, without their values. */
export class CredentialVersionDto {
  @ApiProperty({ type: 'integer', minimum: 1 })
  version!: number;

  /** `current`: in force; `coming`: from `activateAt` on; `former`: was in force, and can be activated again. */
  @ApiProperty({ enum: CREDENTIAL_STATES })
  state!: CredentialState;

  /** Since when it holds, or will; of a former one: since when it last held. */
  @ApiProperty({ format: 'date-time' })
  activateAt!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  /** The name of the API key that added it; null for those from before names were kept. */
  @ApiProperty({ type: String, nullable: true })
  createdBy!: string | null;

  /** The chain of its client certificate, our own first; empty without one. */
  @ApiProperty({ type: () => CertificateDto, isArray: true })
  clientCertificates!: CertificateDto[];
}

export class CredentialsAddedDto extends CredentialVersionDto {
  /** Only when it was made here, and only in this answer: hand it to the consumer now. */
  @ApiProperty({ required: false })
  signingSecret?: string;
}

export class CredentialListDto {
  /** The newest version first. */
  @ApiProperty({ type: () => CredentialVersionDto, isArray: true })
  credentials!: CredentialVersionDto[];
}
