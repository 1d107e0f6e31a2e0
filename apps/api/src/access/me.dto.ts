import type { Config } from '#libs/config';
import { ENVIRONMENT_COLORS, ROLES, type EnvironmentColor, type Role } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { effectiveRoles, type Caller } from './caller.js';

/** What this installation is called (`ENVIRONMENT_NAME`). */
export class EnvironmentDto {
  @ApiProperty({ example: 'production' })
  name!: string;

  @ApiProperty({ enum: ENVIRONMENT_COLORS })
  color!: EnvironmentColor;
}

export class MeDto {
  /** The name of the API key, or of the person as the audit log has it. */
  @ApiProperty({ example: 'payments-hub' })
  name!: string;

  /** What a person is called who signed in by OpenID Connect; null: it is an API key. */
  @ApiProperty({ type: String, nullable: true })
  person!: string | null;

  /** The roles that the key, or the person, was given. */
  @ApiProperty({ enum: ROLES, isArray: true })
  roles!: Role[];

  /** The same with the roles that those include: a route is open when it names one of these. */
  @ApiProperty({ enum: ROLES, isArray: true })
  may!: Role[];

  /** The consumer that a key of the role `consumer` is bound to. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  consumerId!: string | null;

  /** What this installation is called, for a badge on every screen. */
  @ApiProperty({ type: () => EnvironmentDto, nullable: true })
  environment!: EnvironmentDto | null;
}

/** Describes a caller to itself. */
export const introduce = (caller: Caller, { environment }: Config): MeDto => ({
  name: caller.name,
  person: caller.person ?? null,
  roles: [...caller.roles],
  may: effectiveRoles(caller),
  consumerId: caller.consumerId,
  environment,
});
