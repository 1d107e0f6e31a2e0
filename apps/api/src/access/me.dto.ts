import type { Config } from '#libs/config';
import { ENVIRONMENT_COLORS, ROLES, type EnvironmentColor, type Role } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { effectiveRoles, type Caller } from './caller.js';

/** Name and color of this installation (`ENVIRONMENT_NAME`). */
export class EnvironmentDto {
  @ApiProperty({ example: 'production' })
  name!: string;

  @ApiProperty({ enum: ENVIRONMENT_COLORS })
  color!: EnvironmentColor;
}

export class MeDto {
  /** The name of the API key or person, as in the audit log. */
  @ApiProperty({ example: 'payments-hub' })
  name!: string;

  /** Display name of a person who signed in by OpenID Connect; null for an API key. */
  @ApiProperty({ type: String, nullable: true })
  person!: string | null;

  /** The roles granted to the key or person. */
  @ApiProperty({ enum: ROLES, isArray: true })
  roles!: Role[];

  /** The granted roles and all roles that they include. A route is allowed if it names one of these. */
  @ApiProperty({ enum: ROLES, isArray: true })
  may!: Role[];

  /** The consumer to which a key with the role `consumer` is bound; otherwise null. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  consumerId!: string | null;

  /** Name of that consumer; otherwise null. */
  @ApiProperty({ type: String, nullable: true })
  consumerName!: string | null;

  /** Name and color of this installation, for the badge on every screen; null: not configured. */
  @ApiProperty({ type: () => EnvironmentDto, nullable: true })
  environment!: EnvironmentDto | null;
}

/** The API's description of the caller. */
export const describeCaller = (caller: Caller, { environment }: Config): MeDto => ({
  name: caller.name,
  person: caller.person ?? null,
  roles: [...caller.roles],
  may: effectiveRoles(caller),
  consumerId: caller.consumerId,
  consumerName: caller.consumerName ?? null,
  environment,
});
