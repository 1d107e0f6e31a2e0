import { Truth } from '#libs/contracts';
import { PickType } from '@nestjs/swagger';
import { BasicPassword, BasicUsername, SigningSecret } from '../credential-rules.js';
import { CredentialVersionDto } from './credentials.dto.js';
import { ComingInstant } from '../../../http/coming-instant.js';

/** `POST /v1/portal/credentials`: at least one part; absent parts are carried over from the version in force. */
export class AddPortalCredentialsDto {
  /** HMAC key. Not together with `generateSecret`. */
  @SigningSecret()
  signingSecret?: string;

  /** No colon and no control characters (RFC 7617). */
  @BasicUsername({ optional: true })
  username?: string;

  /** Encrypted at once; the API never returns it. */
  @BasicPassword({ optional: true })
  password?: string;

  /** The instant from which every attempt uses this version. Absent: now. */
  @ComingInstant()
  activateAt?: string;

  /** Generates a signing secret of 256 random bits; only this response shows it. */
  @Truth({ optional: true, schema: { default: false } })
  generateSecret?: boolean;
}

/** One version of the own credentials, without their values. */
export class PortalCredentialVersionDto extends PickType(CredentialVersionDto, [
  'version',
  'state',
  'activateAt',
  'createdAt',
]) {}

export class PortalCredentialsAddedDto extends PortalCredentialVersionDto {
  /** Present only if it was generated, and only in this response. */
  signingSecret?: string;
}

export class PortalCredentialListDto {
  /** The newest version first. */
  credentials!: PortalCredentialVersionDto[];
}
