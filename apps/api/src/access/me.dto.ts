import { ROLES, type Role } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { effectiveRoles, type Caller } from './caller.js';

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
}

/** Tells a caller who it is. */
export const introduce = (caller: Caller): MeDto => ({
  name: caller.name,
  person: caller.person ?? null,
  roles: [...caller.roles],
  may: effectiveRoles(caller),
  consumerId: caller.consumerId,
});
