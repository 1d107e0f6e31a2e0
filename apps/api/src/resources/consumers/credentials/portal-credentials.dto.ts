import { Picking } from '#libs/contracts';
import { PickType } from '@nestjs/swagger';
import { AddCredentialsDto, CredentialVersionDto } from './credentials.dto.js';

/** `POST /v1/portal/credentials`: at least one part; absent parts are carried over from the version in force. */
export class AddPortalCredentialsDto extends Picking(AddCredentialsDto, [
  'signingSecret',
  'username',
  'password',
  'activateAt',
  'generateSecret',
]) {}

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
