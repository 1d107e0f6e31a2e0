import { ROLES, type Role } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { effectiveRoles, type Caller } from './caller.js';

export class MeDto {
  /** The name of the API key. */
  @ApiProperty({ example: 'payments-hub' })
  name!: string;

  /** The roles that the key was given. */
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
  roles: [...caller.roles],
  may: effectiveRoles(caller),
  consumerId: caller.consumerId,
});
