import { Nested, Truth, type CredentialState, type Instant, type Ordinal } from '#libs/contracts';
import { ComingInstant } from '../../../http/coming-instant.js';
import { OptionalReasonDto } from '../../../http/reason.dto.js';
import { ClientCertificateDto, type CertificateDto } from '../certificates/certificate.dto.js';
import { BasicPassword, BasicUsername, SigningSecret } from '../credential-rules.js';

/** `POST /v1/consumers/:id/credentials`: at least one part; absent parts are carried over. */
export class AddCredentialsDto extends OptionalReasonDto {
  /** HMAC key. Not together with `generateSecret`. */
  @SigningSecret()
  signingSecret?: string;

  /** No colon and no control characters (RFC 7617). */
  @BasicUsername({ optional: true })
  username?: string;

  /** Encrypted at once; the API never returns it. */
  @BasicPassword({ optional: true })
  password?: string;

  /** For a consumer that requests one (mutual TLS); only the bank's people set it. Null: the new version has none. */
  @Nested(() => ClientCertificateDto, { optional: true, nullable: true })
  clientCertificate?: ClientCertificateDto | null;

  /** The instant from which every attempt uses this version. Absent: now. */
  @ComingInstant()
  activateAt?: string;

  /** Generates a signing secret of 256 random bits; only this response shows it. */
  @Truth({ optional: true, schema: { default: false } })
  generateSecret?: boolean;
}

/** One version of a consumer's credentials, without their values. */
export class CredentialVersionDto {
  version!: Ordinal;
  /** `current`: in force; `coming`: in force from `activateAt` on; `former`: was in force, can be activated again. */
  state!: CredentialState;
  /** When it comes into force, or last came into force. */
  activateAt!: Instant;
  createdAt!: Instant;
  /**
   * Name of the API key or person that added it; null if added before names were recorded, and for the consumer's own
   * people.
   */
  createdBy!: string | null;
  /**
   * Chain of the client certificate, the dispatcher's own first; empty without a client certificate, and for the
   * consumer's own people.
   */
  clientCertificates!: CertificateDto[];
}

export class CredentialsAddedDto extends CredentialVersionDto {
  /** Present only if the dispatcher generated it, and only in this response: pass it on to the consumer now. */
  signingSecret?: string;
}

export class CredentialListDto {
  /** The newest version first. */
  credentials!: CredentialVersionDto[];
}
