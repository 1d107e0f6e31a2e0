import { ROLES, type Role } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';

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
